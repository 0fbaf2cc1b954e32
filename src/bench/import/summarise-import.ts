import { type Spread, spreadOf } from '../statistics/spread.js';
import type {
  ImportedEnvironment,
  ImportedInvocation,
  ImportRow,
  ImportRowName,
  StudyMetrics,
} from './import-result.js';

/** A call that did not get through, and where it counts. */
export type FailedCall = { readonly name: ImportRowName };

const rowNameFields = [
  'functionName',
  'variantId',
  'delivery',
  'memoryMiB',
  'threads',
  'startMode',
  'state',
] as const;

const startOrder = ['on-demand', 'snapstart', 'provisioned'];

/**
 * Sums invocations up per function × variant × delivery × memory × threads × start mode × state. What a call does not say
 * is not guessed from others: it has a row of its own.
 *
 * @param invocations - Those with all figures.
 * @param failed - Those that failed; they are counted and are in no figure.
 * @returns Rows by name, cold before warm.
 */
export function summariseImport(
  invocations: readonly ImportedInvocation[],
  failed: readonly FailedCall[],
): readonly ImportRow[] {
  const rows = new Map<string, { name: ImportRowName; good: ImportedInvocation[]; bad: FailedCall[] }>();
  const rowOf = (name: ImportRowName) => {
    const key = JSON.stringify(rowNameFields.map((field) => name[field]));
    const row = rows.get(key) ?? { name, good: [], bad: [] };
    rows.set(key, row);
    return row;
  };
  for (const invocation of invocations) rowOf(invocation).good.push(invocation);
  for (const call of failed) rowOf(call.name).bad.push(call);
  return [...rows.values()].map(({ name, good, bad }) => sumRow(name, good, bad)).sort(compareRows);
}

function sumRow(
  { functionName, variantId, delivery, memoryMiB, threads, startMode, state }: ImportRowName,
  good: readonly ImportedInvocation[],
  bad: readonly FailedCall[],
): ImportRow {
  const spread = (pick: (invocation: ImportedInvocation) => number | null): Spread | null =>
    spreadOf(good.map(pick).filter((value) => value !== null));
  const metric = (name: keyof StudyMetrics) => spread(({ metrics }) => metrics[name]);
  const peaks = good.map(({ maxMemoryBytes }) => maxMemoryBytes).filter((value) => value !== null);
  return {
    ...{ functionName, variantId, delivery, memoryMiB, threads, startMode, state },
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
    compareTexts(left.variantId ?? '', right.variantId ?? '') ||
    compareTexts(left.delivery ?? '', right.delivery ?? '') ||
    left.memoryMiB - right.memoryMiB ||
    (left.threads ?? 0) - (right.threads ?? 0) ||
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
  return rows.flatMap(({ functionName, variantId, delivery, memoryMiB, startMode, state, environmentMs }) => {
    if (state === 'warm' || environmentMs === null) return [];
    const { median, min, max, count } = environmentMs;
    const calls = count === 1 ? '1 cold start' : `${count} cold starts`;
    const range = `${Math.round(min)} to ${Math.round(max)} ms`;
    const source = `median of ${calls} of ${functionName}${variantId === null ? '' : ` (${variantId})`} on Lambda, ${memoryMiB} MiB, ${startMode}, ${range}`;
    return [
      { functionName, variantId, delivery, memoryMiB, startMode, count, ms: Math.round(median), source },
    ];
  });
}
