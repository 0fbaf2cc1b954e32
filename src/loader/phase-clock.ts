import type { Phases } from '../lib/phases.js';

/** The {@link Phases} as far as they have passed, in milliseconds; null is not known, or not yet, and never 0. */
export type MeasuredPhases = { readonly [Phase in keyof Phases]: number | null };

/** Measures the phases of one cold start. */
export type PhaseClock = {
  /** Measures work as part of a phase; a phase may have several parts. Failed work is not counted. */
  readonly measure: <T>(phase: keyof Phases, work: () => Promise<T>) => Promise<T>;
  readonly read: () => MeasuredPhases;
};

/**
 * Starts the clock of one cold start.
 *
 * @param startMs - Process start to loader entry, milliseconds; null when that is not known.
 * @param now - A monotonic clock, milliseconds.
 * @returns The clock; every phase but the start is null so far.
 */
export function makePhaseClock(
  startMs: number | null,
  now: () => number = () => performance.now(),
): PhaseClock {
  const spentMs: Record<keyof Phases, number | null> = {
    startMs,
    runtimeMs: null,
    downloadMs: null,
    sessionMs: null,
    firstInferenceMs: null,
  };
  return {
    measure: async (phase, work) => {
      const beganMs = now();
      const result = await work();
      spentMs[phase] = (spentMs[phase] ?? 0) + (now() - beganMs);
      return result;
    },
    read: () => ({ ...spentMs }),
  };
}

/**
 * Says whether a cold start is over.
 *
 * @param measured - Phases as far as they are known.
 * @returns The same when every phase is known, else null.
 */
export function completePhases(measured: MeasuredPhases): Phases | null {
  return Object.values(measured).includes(null) ? null : (measured as Phases);
}
