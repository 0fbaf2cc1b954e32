import { converseWithChild } from '../../lib/converse-with-child.js';
import { describe } from '../../messages/catalogue.js';
import { tuneSampleProgram } from '../child-programs.js';
import { explainOutOfMemory } from '../profile/memory-watch.js';
import type { TuneAnswer, TuneJob } from './tune-message.js';
import type { TuneOptions } from './tune-options.js';

/**
 * Has one session opened in a process of its own, measured or saved.
 *
 * @param job - What it does.
 * @param options - Profile and time limit.
 * @param signal - Kills it at once.
 * @returns What came of it; dying, hanging, running out of memory and failing are answers too.
 * @throws The signal's reason. The process has ended by then.
 */
export async function runTuneChild(
  job: TuneJob,
  options: Pick<TuneOptions, 'profile' | 'memoryMiB' | 'timeoutMs'>,
  signal: AbortSignal,
): Promise<TuneAnswer> {
  const { profile, memoryMiB, timeoutMs } = options;
  const how = profile === null ? {} : { launcher: profile.launcher };
  const before = (await profile?.readMemory()) ?? null;
  const args = [JSON.stringify(job)];
  const program = tuneSampleProgram;
  const end = await converseWithChild<TuneAnswer>({
    program,
    args,
    request: null,
    timeoutMs,
    signal,
    ...how,
  });
  if (end.answer !== undefined) return end.answer;
  const error = explainOutOfMemory(end, memoryMiB, before, (await profile?.readMemory()) ?? null);
  if (error !== null) return { ok: false, error };
  const code = end.isLate ? 'bench-sample-late' : 'bench-sample-died';
  const { what } = end.isLate
    ? describe('bench-sample-late', { timeoutMs })
    : describe('bench-sample-died', end);
  return { ok: false, error: { code, what } };
}
