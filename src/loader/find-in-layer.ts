import { join } from 'node:path';
import { OptimiseModelError } from '../messages/error.js';
import { readArtifactFolder } from '../store/artifact-record.js';
import { type BroughtModel, broughtInPlace } from './brought-model.js';
import type { ArtifactChoice } from './choose-artifact.js';
import type { ResolvedOpenOptions } from './open-options.js';

/**
 * Finds an artifact on local disk. Sizes and digest are compared, the bytes are not hashed: that would read the whole
 * model at every cold start, and a layer cannot change after it was deployed.
 *
 * @param choice - The artifact wanted.
 * @param options - `layerDir` names the folder; without it the source itself has to be local.
 * @returns The path of its entry file.
 * @throws `layer-folder-needed`, `layer-artifact-differs`, `artifact-wrong`, `record-wrong`.
 */
export async function findInLayer(
  choice: ArtifactChoice,
  options: ResolvedOpenOptions,
): Promise<BroughtModel> {
  const folder = options.layerDir ?? choice.localFolder;
  if (folder === null) throw OptimiseModelError.of('layer-folder-needed', { source: choice.store.url });
  return findInFolder(folder, choice);
}

/**
 * Finds an artifact in a folder, by sizes and digest; nothing is hashed.
 *
 * @param folder - The folder.
 * @param choice - The artifact wanted.
 * @returns The path of its entry file, where it is.
 * @throws `layer-artifact-differs`, `artifact-wrong`, `record-wrong`.
 */
export async function findInFolder(folder: string, choice: ArtifactChoice): Promise<BroughtModel> {
  const { record } = await readArtifactFolder(folder);
  if (record.digest !== choice.record.digest) {
    throw OptimiseModelError.of('layer-artifact-differs', {
      folder,
      foundDigest: record.digest,
      foundVariant: record.variant.id,
      wantedDigest: choice.record.digest,
      wantedVariant: choice.record.variant?.id ?? 'a bare file',
    });
  }
  return broughtInPlace({ path: join(folder, record.entry) });
}
