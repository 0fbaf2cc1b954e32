import { type Finding, makeFinding } from '../../messages/finding.js';
import type { WritableStore } from '../../store/store.js';
import type { PrunedUpload } from './prune-result.js';

/** What the multipart uploads of a store came to. */
export type SweptUploads = {
  readonly uploads: readonly PrunedUpload[];
  /** Keys of uploads that run, or are too young to be judged. */
  readonly runningKeys: readonly string[];
  /** Why it cannot be known which uploads run; null when it is known. */
  readonly refusal: string | null;
  readonly findings: readonly Finding[];
};

/**
 * Removes the parts of multipart uploads that nobody will complete, and finds those that run.
 *
 * @param store - The store; a folder has none.
 * @param prefix - What keys begin with.
 * @param options - How old an upload must be that no journal knows, ms, and whether nothing is done.
 * @param signal - Stops the work.
 * @returns What was found.
 * @throws What the store says.
 */
export async function sweepUploads(
  store: WritableStore,
  prefix: string,
  options: { readonly graceMs: number; readonly isDryRun: boolean },
  signal: AbortSignal,
): Promise<SweptUploads> {
  const { isDryRun } = options;
  const sweep = await store.sweepUploads(prefix, { ...options, lists: true }, signal);
  const uploads = sweep.abandoned.map(({ url, uploadId, initiatedAtMs, reason, refusal }): PrunedUpload => {
    const initiatedAt = initiatedAtMs === null ? null : new Date(initiatedAtMs).toISOString();
    const outcome = refusal === null ? 'removed' : 'kept';
    return {
      url,
      uploadId,
      initiatedAt,
      why: reason,
      outcome: isDryRun ? 'planned' : outcome,
      reason: refusal,
    };
  });
  const left = uploads.filter(({ outcome }) => outcome === 'kept');
  const named = left.map(({ url, uploadId, reason }) => `upload ${uploadId} of ${url} (${reason})`);
  const findings =
    left.length === 0
      ? []
      : [makeFinding('warning', 'uploads-left', { storeUrl: store.url, uploads: named })];
  return { uploads, runningKeys: sweep.runningKeys, refusal: sweep.listRefusal, findings };
}
