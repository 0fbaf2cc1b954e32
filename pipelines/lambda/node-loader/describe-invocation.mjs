/**
 * Makes the line of one invocation.
 *
 * Each part of a start is counted once: the engine's library before the load, with the process's start, as in the loader's
 * phases and in `optimise-model bench`. A lazy model is loaded after the handler's entry: what had been read of its release
 * at init has passed by then, so the load is what the handler waited for, without the library.
 *
 * @param {{ calledAtMs?: number }} event - What the caller sent.
 * @param {{ functionName: string, awsRequestId: string, memoryLimitInMB: string }} context - As Lambda gives it.
 * @param {boolean} isCold - Whether this is the first call of the process.
 * @param {{ enteredAtMs: number, wasLoaded: boolean, readyAfterMs: number, initialInferenceMs: number,
 *   furtherInferences: number, furtherInferencesMs: number }} times
 *   Unix time of the handler's entry, whether the model was loaded then, and durations, milliseconds: from the entry until
 *   the model was ready, and of the inferences.
 * @param {{ delivery: string, variant: { id: string } | null, threads: number | null, phases: Record<string, number | null> }} model
 *   As the loader opened it.
 * @returns {object} The line, JSON-safe.
 */
export function describeInvocation(event, context, isCold, times, model) {
  const startMode = process.env.AWS_LAMBDA_INITIALIZATION_TYPE ?? null;
  const { initialInferenceMs, furtherInferences, furtherInferencesMs } = times;
  return {
    kind: 'optimise-model.invocation',
    schemaVersion: 1,
    functionName: context.functionName,
    requestId: context.awsRequestId,
    traceId: process.env._X_AMZN_TRACE_ID ?? null,
    startMode,
    memoryMiB: Number(context.memoryLimitInMB),
    variantId: model.variant?.id ?? null,
    delivery: model.delivery,
    threads: model.threads,
    cold: isCold,
    calledAtMs: event.calledAtMs ?? null,
    processStartedAtMs: startMode === 'snap-start' ? null : performance.timeOrigin,
    ...timeLoad(isCold && startMode === 'on-demand', times, model.phases),
    initialInferenceMs,
    furtherInferences,
    furtherInferencesMs,
  };
}

function timeLoad(isStartedByCall, { enteredAtMs, wasLoaded, readyAfterMs }, phases) {
  const { startMs, runtimeMs, downloadMs, sessionMs } = phases;
  if (!wasLoaded) return { loadStartedAtMs: enteredAtMs + runtimeMs, loadMs: readyAfterMs - runtimeMs };
  // A process that was made ready before the call has nothing left to load.
  if (!isStartedByCall) return { loadStartedAtMs: enteredAtMs, loadMs: 0 };
  // Not known where the model was not opened while the process started.
  const loadStartedAtMs = startMs === null ? null : performance.timeOrigin + startMs + runtimeMs;
  return { loadStartedAtMs, loadMs: downloadMs + sessionMs };
}
