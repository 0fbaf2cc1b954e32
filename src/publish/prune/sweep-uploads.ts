import type { Finding } from '../../messages/finding.js';
import { reportRemains } from '../../store/report-remains.js';
import type { UploadSweep, WritableStore } from '../../store/store.js';

/** What the multipart uploads of a store came to. */
export type SweptUploads = UploadSweep & { readonly findings: readonly Finding[] };

/**
 * Removes the parts of multipart uploads that nobody will complete, and finds those that run.
 *
 * @param store - The store; in a folder it is files half written.
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
  const sweep = await store.sweepUploads(prefix, { ...options, lists: true }, signal);
  return { ...sweep, findings: reportRemains(store.url, sweep) };
}
