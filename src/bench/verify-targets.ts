import { OptimiseModelError } from '../messages/error.js';
import { readArtifactFolder } from '../store/artifact-record.js';
import { resolveStaged } from '../store/resolve-staged.js';
import type { PlannedRow } from './plan-rows.js';

/**
 * Makes sure that what is there is what is to be measured: a wrong address fails here once, not in every sample.
 *
 * @param rows - What is to be measured.
 * @param signal - Stops the reading.
 * @throws `bench-target-differs`, `artifact-wrong`, `object-missing` and what the store throws.
 */
export async function verifyTargets(rows: readonly PlannedRow[], signal: AbortSignal): Promise<void> {
  const seen = new Set<string>();
  for (const { target, delivery } of rows) {
    const { artifactUrl, artifactFolder } = target;
    const isLocal = delivery === 'layer' && artifactFolder !== null;
    const where = isLocal ? artifactFolder : artifactUrl;
    if (seen.has(where)) continue;
    seen.add(where);
    const { record } = isLocal
      ? await readArtifactFolder(where)
      : await resolveStaged(where, undefined, signal);
    if (record.digest === target.digest) continue;
    const facts = { variantId: target.variantId, wantedDigest: target.digest, foundDigest: record.digest };
    throw OptimiseModelError.of('bench-target-differs', { ...facts, where });
  }
}
