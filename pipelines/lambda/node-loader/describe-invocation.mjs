/**
 * Makes the line of one invocation.
 *
 * @param {{ calledAtMs?: number }} event - What the caller sent.
 * @param {{ functionName: string, awsRequestId: string, memoryLimitInMB: string }} context - As Lambda gives it.
 * @param {boolean} isCold - Whether this is the first call of the process.
 * @param {{ enteredAtMs: number, initialInferenceMs: number, furtherInferences: number, furtherInferencesMs: number }} times
 *   Unix time of the handler's entry, and durations, milliseconds.
 * @param {{ delivery: string, phases: Record<string, number | null> }} model - As the loader opened it.
 * @returns {object} The line, JSON-safe.
 */
export function describeInvocation(event, context, isCold, times, model) {
  const startMode = process.env.AWS_LAMBDA_INITIALIZATION_TYPE ?? null;
  const { startMs, runtimeMs, downloadMs, sessionMs, firstInferenceMs } = model.phases;
  const { enteredAtMs, initialInferenceMs, furtherInferences, furtherInferencesMs } = times;
  // A process that was made ready before the call has nothing left to load.
  const isLoadedByCall = isCold && startMode === 'on-demand';
  const isLazy = model.delivery === 'lazy';
  return {
    kind: 'optimise-model.invocation',
    schemaVersion: 1,
    functionName: context.functionName,
    requestId: context.awsRequestId,
    traceId: process.env._X_AMZN_TRACE_ID ?? null,
    startMode,
    memoryMiB: Number(context.memoryLimitInMB),
    delivery: model.delivery,
    cold: isCold,
    calledAtMs: event.calledAtMs ?? null,
    processStartedAtMs: startMode === 'snap-start' ? null : performance.timeOrigin,
    loadStartedAtMs: isLoadedByCall && !isLazy ? performance.timeOrigin + startMs + runtimeMs : enteredAtMs,
    loadMs: isLoadedByCall ? downloadMs + sessionMs : 0,
    // A lazy model loads in its first run, which the loader tells apart.
    initialInferenceMs: isCold && isLazy ? firstInferenceMs : initialInferenceMs,
    furtherInferences,
    furtherInferencesMs,
  };
}
