import { downloadFolder } from '../store/download-folder.js';
import { hashHere } from '../store/download-target.js';
import { bringToEphemeral } from './bring-to-ephemeral.js';
import type { BroughtModel } from './brought-model.js';
import type { ArtifactChoice } from './choose-artifact.js';
import { downloadSettings } from './download-settings.js';
import type { ResolvedOpenOptions } from './open-options.js';

/**
 * Downloads an artifact into a new folder on ephemeral storage, verified, unless an earlier process has left it there.
 *
 * @param choice - The artifact.
 * @param options - Where to, and how it is downloaded.
 * @returns The path of its entry file; discarding removes the folder.
 * @throws `ephemeral-storage-full` before the download when it cannot fit; `download-corrupt` and what the store
 *   throws. The folder is removed then.
 */
export async function copyToEphemeral(
  choice: ArtifactChoice,
  options: ResolvedOpenOptions,
): Promise<BroughtModel> {
  const { entry, files, digest } = choice.record;
  const { store, keyPrefix } = choice;
  return bringToEphemeral({
    place: { parent: options.ephemeralDir, digest, form: 'own' },
    files,
    entry,
    expandedSizeBytes: null,
    write: async (folder) => {
      const how = { ...downloadSettings(store, options), startHash: hashHere, isFlushed: false };
      await downloadFolder({ ...how, files, keyPrefix, folder });
    },
  });
}
