/**
 * Where the time of one cold start went, each in milliseconds on a monotonic clock.
 *
 * `startMs` process start to loader entry; `runtimeMs` loading the engine's library; `downloadMs`; `sessionMs`;
 * `firstInferenceMs` the first inference, slower than the rest.
 */
export type Phases = {
  readonly startMs: number;
  readonly runtimeMs: number;
  readonly downloadMs: number;
  readonly sessionMs: number;
  readonly firstInferenceMs: number;
};

/** The sums of {@link Phases} that are compared, in milliseconds. */
export type PhaseSums = {
  readonly loadMs: number;
  readonly coldStartMs: number;
  readonly totalMs: number;
  readonly readyMs: number;
};

/**
 * Adds the phases up, the same way for every delivery.
 *
 * @param phases - Milliseconds per phase.
 * @param isLazy - Whether the handler takes requests before anything is loaded.
 * @returns `load = download + session`, `coldStart = start + runtime + load`, `total = coldStart + firstInference`
 *   and `ready`, what passes before a request can be taken (`start` alone when lazy), all in milliseconds.
 */
export function sumPhases(phases: Phases, isLazy: boolean): PhaseSums {
  const loadMs = phases.downloadMs + phases.sessionMs;
  const coldStartMs = phases.startMs + phases.runtimeMs + loadMs;
  return {
    loadMs,
    coldStartMs,
    totalMs: coldStartMs + phases.firstInferenceMs,
    readyMs: isLazy ? phases.startMs : coldStartMs,
  };
}
