import { showAddress } from '../lib/show-address.js';
import { OptimiseModelError } from '../messages/error.js';
import type { BroughtModel } from './brought-model.js';
import type { ArtifactChoice } from './choose-artifact.js';
import { copyToEphemeral } from './copy-to-ephemeral.js';
import { findInFolder } from './find-in-layer.js';
import type { ResolvedOpenOptions } from './open-options.js';

/**
 * Brings an artifact from a mounted file system. Copied, it is read by parallel ranges and verified, like a download;
 * opened where it is, only sizes and digest are compared: hashing would read every byte before the engine does, and
 * whoever opens it directly wants just the pages that are used.
 *
 * @param choice - The artifact; its store is a folder.
 * @param options - `mountMode` says which of the two; where to and how it is copied.
 * @returns The path of its entry file.
 * @throws `mount-source-not-local`; copied what `copyToEphemeral` throws, opened where it is `artifact-wrong` and
 *   `record-wrong`.
 */
export async function findOnMount(
  choice: ArtifactChoice,
  options: ResolvedOpenOptions,
): Promise<BroughtModel> {
  const { localFolder } = choice;
  if (localFolder === null) {
    throw OptimiseModelError.of('mount-source-not-local', { source: showAddress(choice.store.url) });
  }
  return options.mountMode === 'copy' ? copyToEphemeral(choice, options) : findInFolder(localFolder, choice);
}
