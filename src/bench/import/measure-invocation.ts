import type { StartMode } from '../../lib/start-mode.js';
import type { RecordPlace } from './import-options.js';
import type { ImportedInvocation, ImportRowName, StudyMetrics } from './import-result.js';
import type { JoinedInvocation } from './join-records.js';
import type { ColdStartRecord } from './lambda-record.js';

/** A field that no record of an invocation has. */
type MissingField = RecordPlace & {
  readonly requestId: string;
  readonly field: string;
  /** What would have it. */
  readonly provider: string;
};

/** What one invocation came to. */
export type MeasuredInvocation =
  | { readonly kind: 'measured'; readonly invocation: ImportedInvocation }
  | { readonly kind: 'failed'; readonly name: ImportRowName; readonly why: string }
  /** Its process was there before the call, though it had answered none yet. */
  | { readonly kind: 'early'; readonly requestId: string }
  | { readonly kind: 'incomplete'; readonly missing: readonly MissingField[] };

const providers = {
  functionName: 'the log group, `--function NAME`, an X-Ray segment or the handler’s line (functionName)',
  memoryMiB: 'a REPORT line, platform.report or the handler’s line (memoryMiB)',
  startMode:
    'Init Duration or Restore Duration of the REPORT line, platform.initStart, or the handler’s line (startMode)',
  calledAtMs: 'the X-Ray segment AWS::Lambda, or calledAtMs in the event and the handler’s line',
  loadStartedAtMs: 'the X-Ray subsegment load_model, or the handler’s line (loadStartedAtMs)',
  loadModelMs: 'the loader’s line, the X-Ray subsegment load_model, or the handler’s line (loadMs)',
  initialInferenceMs:
    'the loader’s line, the X-Ray subsegment initial_inference, or the handler’s line (initialInferenceMs)',
  approxInferenceTimeMs:
    'the X-Ray subsegment inference_50, or the handler’s line (furtherInferences, furtherInferencesMs)',
  environmentMs:
    'the X-Ray subsegment Initialization or Restore, Restore Duration of the REPORT line, or the handler’s line (processStartedAtMs)',
} as const;

type Field = keyof typeof providers;

/**
 * Works out the study's metrics of one invocation. The handler's clock is preferred for what it timed itself, X-Ray's
 * for when the call came.
 *
 * @param joined - All that was found of it.
 * @param givenName - Function that it belongs to if no record says it; null without one.
 * @returns Its metrics, or why there are none.
 */
export function measureInvocation(joined: JoinedInvocation, givenName: string | null): MeasuredInvocation {
  const { requestId, place, report, coldStart } = joined;
  const named = nameInvocation(joined, givenName);
  const why = report?.failure ?? coldStart?.failure ?? null;
  const lack = (fields: readonly Field[]): MeasuredInvocation => ({
    kind: 'incomplete',
    missing: fields.map((field) => ({ ...place, requestId, field, provider: providers[field] })),
  });
  const { functionName, memoryMiB, startMode, state } = named;
  if (functionName === null || memoryMiB === null || startMode === null) {
    const fields = ['functionName', 'memoryMiB', 'startMode'] as const;
    return lack([
      ...fields.filter((field) => named[field] === null),
      ...(why === null ? listMissing(timeInvocation(joined, startMode ?? 'on-demand', state), state) : []),
    ]);
  }
  const name: ImportRowName = { ...named, functionName, memoryMiB, startMode };
  if (why !== null) return { kind: 'failed', name, why };
  const times = timeInvocation(joined, startMode, state);
  const missing = listMissing(times, state);
  if (missing.length > 0) return lack(missing);
  if ((times.environmentMs ?? 0) < 0 || (times.callingMs ?? 0) < 0) return { kind: 'early', requestId };
  const { maxMemoryMiB = null, initMs = null, billedMs = null } = report ?? {};
  const invocation: ImportedInvocation = {
    ...name,
    requestId,
    metrics: sumMetrics(times),
    environmentMs: state === 'warm' ? null : round(times.environmentMs ?? 0),
    initMs,
    restoreMs: readRestoreMs(joined),
    billedMs,
    maxMemoryBytes: maxMemoryMiB === null ? null : maxMemoryMiB * 1024 ** 2,
  };
  return { kind: 'measured', invocation };
}

function readRestoreMs({ report, restoreMs }: JoinedInvocation): number | null {
  return report?.restoreMs ?? restoreMs;
}

type NullableName = { readonly [Key in keyof ImportRowName]: ImportRowName[Key] | null } & {
  readonly state: 'cold' | 'warm';
};

function nameInvocation(joined: JoinedInvocation, givenName: string | null): NullableName {
  const { report, invocation, coldStart, trace, init } = joined;
  const isRestored = readRestoreMs(joined) !== null || trace?.restoredAtMs != null;
  const isInitialised = report?.initMs != null || trace?.initStartedAtMs != null;
  const said = invocation?.startMode ?? coldStart?.startMode ?? init?.startMode ?? null;
  const isCold = invocation?.isCold ?? (isRestored || isInitialised || coldStart !== null);
  const seen = isRestored ? 'snapstart' : isInitialised ? 'on-demand' : null;
  return {
    functionName:
      joined.functionName ??
      invocation?.functionName ??
      coldStart?.functionName ??
      trace?.functionName ??
      init?.functionName ??
      givenName,
    variantId: invocation?.variantId ?? coldStart?.variantId ?? null,
    delivery: invocation?.delivery ?? coldStart?.delivery ?? null,
    threads: invocation?.threads ?? coldStart?.threads ?? null,
    memoryMiB: report?.memoryMiB ?? invocation?.memoryMiB ?? coldStart?.memoryMiB ?? null,
    startMode: said ?? seen,
    state: isCold ? 'cold' : 'warm',
  };
}

/** Milliseconds; null for what no record has. */
type Times = {
  readonly hasCall: boolean;
  readonly callingMs: number | null;
  readonly loadMs: number | null;
  readonly firstMs: number | null;
  readonly furtherMs: number | null;
  readonly environmentMs: number | null;
};

/**
 * Every part of a start is in exactly one of calling and load: what the engine's library took is in calling, with the
 * process's start, as in a benchmark here. Where the loader's line gives the load of a lazy model, it gives what came before
 * as well: its download has what was read at init, which a clock read at the handler's entry would hold once more.
 */
function timeInvocation(joined: JoinedInvocation, startMode: StartMode, state: 'cold' | 'warm'): Times {
  const { invocation, coldStart, trace } = joined;
  const calledAtMs = trace?.calledAtMs ?? invocation?.calledAtMs ?? null;
  const since = (moment: number | null | undefined) =>
    moment == null || calledAtMs === null ? null : moment - calledAtMs;
  const environmentMs = state === 'warm' ? null : timeEnvironment(joined, startMode, since);
  const isLazy = (invocation?.delivery ?? coldStart?.delivery) === 'lazy';
  // What is loaded when a call comes is no part of it: what counts is when the handler was entered.
  const isLoaded = state === 'warm' || startMode === 'snapstart' || (startMode === 'provisioned' && !isLazy);
  // The phases of a process that was not started for this call are not those of this call.
  const phases = startMode === 'on-demand' && state === 'cold' ? coldStart : null;
  const ownLoadMs = invocation?.loadMs ?? trace?.loadMs ?? null;
  const untilPhases = environmentMs === null ? null : addPhases(environmentMs, phases);
  const untilOwn = since(
    isLoaded
      ? (invocation?.loadStartedAtMs ?? trace?.handlerStartedAtMs)
      : (trace?.loadStartedAtMs ?? invocation?.loadStartedAtMs),
  );
  return {
    hasCall: calledAtMs !== null,
    callingMs: isLazy && ownLoadMs === null ? (untilPhases ?? untilOwn) : (untilOwn ?? untilPhases),
    loadMs: ownLoadMs ?? (isLoaded ? 0 : (phases?.loadMs ?? null)),
    firstMs:
      invocation?.initialInferenceMs ?? trace?.initialInferenceMs ?? coldStart?.firstInferenceMs ?? null,
    furtherMs: invocation?.approxInferenceTimeMs ?? trace?.approxInferenceTimeMs ?? null,
    environmentMs,
  };
}

function addPhases(environmentMs: number, phases: ColdStartRecord | null): number | null {
  if (phases === null || phases.startMs === null || phases.runtimeMs === null) return null;
  return environmentMs + phases.startMs + phases.runtimeMs;
}

function timeEnvironment(
  joined: JoinedInvocation,
  startMode: StartMode,
  since: (moment: number | null | undefined) => number | null,
): number | null {
  // The process was made ready when the concurrency was configured, not for this call.
  if (startMode === 'provisioned') return 0;
  const { invocation, trace } = joined;
  if (startMode === 'snapstart') return since(trace?.restoredAtMs) ?? readRestoreMs(joined);
  return since(trace?.initStartedAtMs ?? invocation?.processStartedAtMs);
}

function listMissing(times: Times, state: 'cold' | 'warm'): readonly Field[] {
  const fields: Field[] = [];
  if (!times.hasCall) fields.push('calledAtMs');
  if (times.hasCall && times.callingMs === null) fields.push('loadStartedAtMs');
  if (times.loadMs === null) fields.push('loadModelMs');
  if (times.firstMs === null) fields.push('initialInferenceMs');
  if (times.furtherMs === null) fields.push('approxInferenceTimeMs');
  if (times.hasCall && state === 'cold' && times.environmentMs === null) fields.push('environmentMs');
  return fields;
}

function sumMetrics({ callingMs, loadMs, firstMs, furtherMs }: Times): StudyMetrics {
  const [calling, load, first] = [callingMs ?? 0, loadMs ?? 0, firstMs ?? 0];
  return {
    callingToLoadModelMs: round(calling),
    loadModelMs: round(load),
    initialInferenceMs: round(first),
    approxInferenceTimeMs: round(furtherMs ?? 0),
    callingLoadSumMs: round(calling + load),
    totalMetricMs: round(calling + load + first),
  };
}

/** Clocks give microseconds; what comes after is noise of the arithmetic on Unix times. */
function round(durationMs: number): number {
  return Math.round(durationMs * 1000) / 1000;
}
