import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../lib/temporary-folder.js';
import { downloadFolder } from '../store/download-folder.js';
import { hashHere } from '../store/download-target.js';
import type { BroughtModel } from './brought-model.js';
import type { ArtifactChoice } from './choose-artifact.js';
import { downloadSettings } from './download-settings.js';
import { checkEphemeralSpace, explainFullDisk } from './ephemeral-space.js';
import type { ResolvedOpenOptions } from './open-options.js';

/**
 * Downloads an artifact into a new folder on ephemeral storage, verified.
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
  const { sizeBytes, entry, files } = choice.record;
  const { store, keyPrefix } = choice;
  // Before space is counted: what a process that died has left takes some.
  const folder = await makeTemporaryFolder(options.ephemeralDir, 'optimise-model-');
  const discard = () => rm(folder, { recursive: true, force: true });
  try {
    await checkEphemeralSpace(options.ephemeralDir, sizeBytes);
    const how = { ...downloadSettings(store, options), startHash: hashHere, isFlushed: false };
    await downloadFolder({ ...how, files, keyPrefix, folder });
    return { source: { path: join(folder, entry) }, discard };
  } catch (error) {
    // Asked before the folder is removed: afterwards there would be room again.
    const explained = await explainFullDisk(error, options.ephemeralDir, sizeBytes);
    await discard();
    throw explained;
  }
}
