import { hashBytes } from '../../lib/sha256.js';
import type { ArtifactRecord } from '../../store/artifact-record.js';
import { bringToEphemeral } from '../bring-to-ephemeral.js';
import type { BroughtModel } from '../brought-model.js';
import type { ArtifactChoice } from '../choose-artifact.js';
import { downloadSettings } from '../download-settings.js';
import type { ResolvedOpenOptions } from '../open-options.js';
import { downloadExpanded } from './download-expanded.js';
import { readFullRecord } from './read-full-record.js';

/** Bytes that came early and wait in memory for those before them until they can be hashed. */
const heldBytes = 32 * 1024 ** 2;
/** Of smaller parts, the requests would take longer than the bytes. */
const leastPartBytes = 1024 ** 2;

/** Most models have less structure; large weights are never among it. */
const memoryBytes = 16 * 1024 ** 2;

/**
 * Downloads an artifact, verified, and writes while its bytes arrive what they are expanded to: the FP32 model whose
 * data file a runtime maps into memory. Nothing is downloaded when an earlier process has left it.
 *
 * @param choice - The artifact.
 * @param options - Where to, and how it is downloaded.
 * @returns The path of the expanded model's entry file; discarding removes the folder.
 * @throws `ephemeral-storage-full` before the download when the expanded files cannot fit; `record-wrong`;
 *   `download-corrupt` and what the store throws. Nothing is left then.
 */
export async function streamToMapped(
  choice: ArtifactChoice,
  options: ResolvedOpenOptions,
): Promise<BroughtModel> {
  const record = await readFullRecord(choice);
  const { store, keyPrefix } = choice;
  const settings = downloadSettings(store, options);
  // As many again as are on their way: one that is slow does not hold the others up at once.
  const windowParts = 2 * settings.concurrency;
  const partBytes = Math.max(leastPartBytes, Math.floor(heldBytes / windowParts));
  const partSizeBytes = Math.min(settings.partSizeBytes, partBytes);
  return bringToEphemeral({
    place: { parent: options.ephemeralDir, digest: digestExpanded(record), form: 'expanded' },
    files: record.expansion.files,
    entry: record.expansion.entry,
    expandedSizeBytes: record.expandedSizeBytes,
    write: (folder) =>
      downloadExpanded({ ...settings, partSizeBytes, windowParts, record, keyPrefix, folder, memoryBytes }),
  });
}

/** The artifact's digest says nothing of the plan, which decides as much about what is written. */
function digestExpanded({ digest, expansion }: ArtifactRecord): string {
  return hashBytes(`${digest} ${JSON.stringify(expansion)}`);
}
