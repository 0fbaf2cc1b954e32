import { type Spread, spreadOf } from '../statistics/spread.js';
import type {
  ImportedEnvironment,
  ImportedInvocation,
  ImportRow,
  ImportRowName,
  StudyMetrics,
} from './import-result.js';

/** A call that did not get through, and where it counts. */
export type FailedCall = { readonly name: ImportRowName; readonly delivery: string | null };

const startOrder = ['on-demand', 'snapstart', 'provisioned'];

/**
 * Sums invocations up per function × memory × start mode × state.
 *
 * @param invocations - Those with all figures.
 * @param failed - Those that failed; they are counted and are in no figure.
 * @returns Rows by function, memory and start mode, cold before warm.
 */
export function summariseImport(
  invocations: readonly ImportedInvocation[],
  failed: readonly FailedCall[],
): readonly ImportRow[] {
  const rows = new Map<string, { name: ImportRowName; good: ImportedInvocation[]; bad: FailedCall[] }>();
  const rowOf = (name: ImportRowName) => {
    const key = JSON.stringify([name.functionName, name.memoryMiB, name.startMode, name.state]);
    const row = rows.get(key) ?? { name, good: [], bad: [] };
    rows.set(key, row);
    return row;
  };
  for (const invocation of invocations) rowOf(invocation).good.push(invocation);
  for (const call of failed) rowOf(call.name).bad.push(call);
  return [...rows.values()].map(({ name, good, bad }) => sumRow(name, good, bad)).sort(compareRows);
}

function sumRow(
  { functionName, memoryMiB, startMode, state }: ImportRowName,
  good: readonly ImportedInvocation[],
  bad: readonly FailedCall[],
): ImportRow {
  const spread = (pick: (invocation: ImportedInvocation) => number | null): Spread | null =>
    spreadOf(good.map(pick).filter((value) => value !== null));
  const metric = (name: keyof StudyMetrics) => spread(({ metrics }) => metrics[name]);
  const peaks = good.map(({ maxMemoryBytes }) => maxMemoryBytes).filter((value) => value !== null);
  return {
    functionName,
    memoryMiB,
    startMode,
    state,
    delivery: [...good, ...bad].find(({ delivery }) => delivery !== null)?.delivery ?? null,
    calls: good.length + bad.length,
    failures: bad.length,
    metrics: {
      callingToLoadModelMs: metric('callingToLoadModelMs'),
      loadModelMs: metric('loadModelMs'),
      initialInferenceMs: metric('initialInferenceMs'),
      approxInferenceTimeMs: metric('approxInferenceTimeMs'),
      callingLoadSumMs: metric('callingLoadSumMs'),
      totalMetricMs: metric('totalMetricMs'),
    },
    environmentMs: spread(({ environmentMs }) => environmentMs),
    initMs: spread(({ initMs }) => initMs),
    restoreMs: spread(({ restoreMs }) => restoreMs),
    billedMs: spread(({ billedMs }) => billedMs),
    maxMemoryBytes: peaks.length === 0 ? null : Math.max(...peaks),
  };
}

function compareRows(left: ImportRow, right: ImportRow): number {
  return (
    compareTexts(left.functionName, right.functionName) ||
    left.memoryMiB - right.memoryMiB ||
    startOrder.indexOf(left.startMode) - startOrder.indexOf(right.startMode) ||
    compareTexts(left.state, right.state)
  );
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

/**
 * Takes out of the rows what `bench.environment` of the pipeline file asks for.
 *
 * @param rows - All rows.
 * @returns One figure per cold row that has one, with what it rests on.
 */
export function listEnvironments(rows: readonly ImportRow[]): readonly ImportedEnvironment[] {
  return rows.flatMap(({ functionName, delivery, memoryMiB, startMode, state, environmentMs }) => {
    if (state === 'warm' || environmentMs === null) return [];
    const { median, min, max, count } = environmentMs;
    const calls = count === 1 ? '1 cold start' : `${count} cold starts`;
    const range = `${Math.round(min)} to ${Math.round(max)} ms`;
    const source = `median of ${calls} of ${functionName} on Lambda, ${memoryMiB} MiB, ${startMode}, ${range}`;
    return [{ functionName, delivery, memoryMiB, startMode, count, ms: Math.round(median), source }];
  });
}
