import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Delivery } from '../lib/delivery.js';
import type { ArtifactChoice } from './choose-artifact.js';
import { type ResolvedOpenOptions, refuse } from './open-options.js';

/**
 * Makes the folder in which the engine keeps what it compiles of an artifact. Each artifact has one of its own: OpenVINO
 * finds again by path, and would take what it kept of other weights at the same place. A copy has another path in each
 * process, so that nothing would be found, and more kept each time.
 *
 * @param choice - The artifact.
 * @param delivery - How its bytes come.
 * @param options - `modelCacheDir`, `mountMode`.
 * @returns The folder; null where nothing is kept.
 * @throws `open-option-wrong`.
 */
export async function makeModelCache(
  { record: { variant, digest } }: ArtifactChoice,
  delivery: Delivery,
  { modelCacheDir, mountMode }: Pick<ResolvedOpenOptions, 'modelCacheDir' | 'mountMode'>,
): Promise<string | null> {
  if (modelCacheDir === null) return null;
  const option = 'modelCacheDir';
  const isOfUse = variant?.engine === 'openvino' && variant.layout !== 'blob';
  const isLasting =
    delivery === 'mount' ? mountMode === 'direct' : delivery === 'layer' || delivery === 'lazy';
  if (!isOfUse || !isLasting)
    return refuse(
      option,
      `given with ${variant?.id} by ${delivery}`,
      'with a variant of openvino, no blob, by `layer`, `lazy` or `mountMode` `direct`',
    );
  const folder = join(modelCacheDir, digest);
  // One above it that is missing is a mistyped one, or a file system that is not mounted.
  for (const each of [modelCacheDir, folder])
    await mkdir(each).catch((error) => {
      if (error.code !== 'EEXIST')
        refuse(option, JSON.stringify(modelCacheDir), 'a folder to write to, in one that exists', error);
    });
  return folder;
}
