import { downloadToMemory } from '../store/download.js';
import { type BroughtModel, broughtInPlace } from './brought-model.js';
import type { ArtifactChoice } from './choose-artifact.js';
import { downloadSettings } from './download-settings.js';
import type { ResolvedOpenOptions } from './open-options.js';

/**
 * Downloads an artifact into memory, verified; no disk is touched.
 *
 * @param choice - The artifact.
 * @param options - How it is downloaded.
 * @returns The entry file's bytes and, by their names in the model, those of the external data files.
 * @throws `download-corrupt` and what the store throws.
 */
export async function readToMemory(
  choice: ArtifactChoice,
  options: ResolvedOpenOptions,
): Promise<BroughtModel> {
  const { entry } = choice.record;
  const objects = choice.record.files.map(({ path, sizeBytes, sha256 }) => ({
    key: choice.keyPrefix + path,
    sizeBytes,
    sha256,
  }));
  const contents = await downloadToMemory(objects, downloadSettings(choice.store, options));
  const files = choice.record.files.map(({ path }, index) => ({
    path,
    data: contents[index] ?? new Uint8Array(),
  }));
  const bytes = files.find((file) => file.path === entry)?.data ?? new Uint8Array();
  const externalData = files.filter((file) => file.path !== entry);
  return broughtInPlace({ name: entry, bytes, externalData });
}
