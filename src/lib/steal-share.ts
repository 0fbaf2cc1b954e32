import type { Phases } from './phases.js';

/** A sample that lost more than this share of its processors' time to other guests of the host is worth a word. */
export const notableStealShare = 0.02;

/** What of a sample tells how much of it was stolen. */
type StolenSample = {
  readonly phases: Phases | null;
  /** Each inference after the first, ms. */
  readonly steadyMs: readonly number[];
  /** What the host took from all processors of the machine meanwhile, ms; null where that is not known. */
  readonly stealMs: number | null;
};

/**
 * Sets what the host took from a sample against all the time that was measured. Stolen time is counted over all
 * processors of the machine, so it is set against the time of all of them.
 *
 * @param sample - Its phases, steady inferences and stolen time.
 * @param cores - Processors of the machine, ≥ 1.
 * @returns The share, 0 or more; 0 where nothing is known or measured.
 */
export function shareOfSteal({ phases, steadyMs, stealMs }: StolenSample, cores: number): number {
  if (stealMs === null || phases === null) return 0;
  const { startMs, runtimeMs, downloadMs, sessionMs, firstInferenceMs } = phases;
  const spent = [startMs, runtimeMs, downloadMs, sessionMs, firstInferenceMs, ...steadyMs];
  const elapsedMs = spent.reduce((sum, value) => sum + value, 0) * cores;
  return elapsedMs > 0 ? stealMs / elapsedMs : 0;
}
