import { type Finding, makeFinding } from '../messages/finding.js';
import { reportRemains } from '../store/report-remains.js';
import type { SweepOptions, UploadSweep, WritableStore } from '../store/store.js';

/** How old an upload must be that no journal knows: longer than any upload takes. */
export const uploadGraceHours = 24;

/**
 * Removes what interrupted uploads have left in a store, before new ones begin, and says so. That something could not
 * be seen or removed is no reason not to stage.
 *
 * @param store - The store.
 * @param prefix - What the keys of the model begin with.
 * @param options - The grace, and whether anything is done.
 * @param signal - Stops the work.
 * @returns What was found, and the findings about it; none when there was nothing.
 * @throws What the store says, the signal's reason.
 */
export async function sweepInterrupted(
  store: WritableStore,
  prefix: string,
  options: SweepOptions,
  signal: AbortSignal,
): Promise<{ readonly sweep: UploadSweep; readonly findings: readonly Finding[] }> {
  const sweep = await store.sweepUploads(prefix, options, signal);
  const storeUrl = store.url;
  const removed = sweep.abandoned.filter(({ refusal }) => refusal === null);
  const findings: Finding[] = [];
  if (removed.length > 0 && !options.isDryRun) {
    const uploads = removed.map(({ url, reason }) => `${url} (${reason})`);
    findings.push(makeFinding('info', 'uploads-swept', { storeUrl, uploads }));
  }
  findings.push(...reportRemains(storeUrl, sweep));
  if (sweep.listRefusal !== null) {
    findings.push(makeFinding('info', 'uploads-unknown', { storeUrl, refusal: sweep.listRefusal }));
  }
  return { sweep, findings };
}
