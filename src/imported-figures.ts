import type { KnownTime } from './add-unseen.js';
import type { ImportRow } from './bench/import/import-result.js';
import type { Spread } from './bench/statistics/spread.js';
import type { Delivery } from './lib/delivery.js';
import type { StartMode } from './lib/start-mode.js';
import { describeSpread, type StartMeasures } from './measure-starts.js';
import { OptimiseModelError } from './messages/error.js';
import type { Evidence } from './pick/pick-candidate.js';
import type { CallTimes } from './price-calls.js';

/** Real runs on Lambda of one memory setting, as far as candidates rest on them. */
export type ImportedRuns = {
  readonly memoryMiB: number;
  readonly rows: readonly ImportRow[];
  /** Cold rows of any other memory, which nothing rests on. */
  readonly others: readonly ImportRow[];
};

/** What tells candidates of real runs apart. */
export type ImportedName = {
  readonly variantId: string;
  readonly delivery: Delivery;
  readonly startMode: StartMode;
};

/** What real runs say of one candidate. */
export type ImportedFigures = {
  readonly cold: ImportRow;
  readonly measures: StartMeasures;
  /** Billed; null where a figure of it is missing. */
  readonly times: CallTimes | null;
};

/**
 * Takes those rows that a run's candidates can be compared by: of the memory that the run imitates; where it imitates none,
 * all must be of one.
 *
 * @param rows - Of `bench import`.
 * @param memoryMiB - What the run imitates first; null for the machine as it is.
 * @returns The rows; null where none is left.
 * @throws `pick-imported-memories` when several memories would be mixed.
 */
export function selectImported(rows: readonly ImportRow[], memoryMiB: number | null): ImportedRuns | null {
  const memories = [...new Set(rows.map((row) => row.memoryMiB))].sort((left, right) => left - right);
  const [first] = memories;
  if (memoryMiB === null && memories.length > 1) {
    throw OptimiseModelError.of('pick-imported-memories', { memories });
  }
  const own = memoryMiB ?? first;
  if (own === undefined) return null;
  const others = rows.filter((row) => row.memoryMiB !== own && row.state === 'cold');
  return { memoryMiB: own, rows: rows.filter((row) => row.memoryMiB === own), others };
}

/**
 * Finds what real runs say of one candidate: the function with the most cold starts where several opened it.
 *
 * @param imported - Real runs; null for none.
 * @param name - The candidate.
 * @returns Its figures; undefined where no function that says so opened that variant by that delivery in that start mode.
 */
export function findImported(imported: ImportedRuns | null, name: ImportedName): ImportedFigures | undefined {
  const own = (imported?.rows ?? []).filter(
    (row) =>
      row.variantId === name.variantId && row.delivery === name.delivery && row.startMode === name.startMode,
  );
  const cold = mostCalls(
    own.filter(({ state, metrics }) => state === 'cold' && metrics.totalMetricMs !== null),
  );
  if (cold === undefined) return undefined;
  const warm = mostCalls(own.filter((row) => row.state === 'warm' && isSameFunction(row, cold)));
  return { cold, measures: describeFigures(cold, warm), times: timeCalls(cold, warm) };
}

function describeFigures(cold: ImportRow, warm: ImportRow | undefined): StartMeasures {
  const cite = (row: ImportRow, what: string): Evidence => ({ kind: 'imported', what, source: citeRow(row) });
  const measure = (spread: Spread | null, row: ImportRow, what: string) => {
    const found = describeSpread(spread, [], [cite(row, what)]);
    // What passed before the process is in it, and no sample tells how much.
    return found === null ? null : { ...found, unseenMs: null };
  };
  const { totalMetricMs, callingLoadSumMs, initialInferenceMs, approxInferenceTimeMs } = cold.metrics;
  const further = warm?.metrics.approxInferenceTimeMs ?? null;
  return {
    total: measure(totalMetricMs, cold, 'total'),
    ready: measure(callingLoadSumMs, cold, 'ready'),
    steady:
      further === null || warm === undefined
        ? measure(approxInferenceTimeMs, cold, 'further inferences')
        : measure(further, warm, 'further inferences'),
    init: measure(cold.initMs, cold, 'init'),
    firstCall: measure(initialInferenceMs, cold, 'first inference'),
    gap: null,
  };
}

function timeCalls(cold: ImportRow, warm: ImportRow | undefined): CallTimes | null {
  const meanMs = (warm ?? cold).metrics.approxInferenceTimeMs?.median;
  const totalMs = cold.metrics.totalMetricMs?.median;
  if (meanMs === undefined || totalMs === undefined) return null;
  const coldMs = totalMs - (cold.environmentMs?.median ?? 0);
  return { callMs: Math.ceil(meanMs), meanMs, coldCallMs: Math.ceil(Math.max(0, coldMs)) };
}

/**
 * Finds what passed before a process took its first call in real runs. It depends on how the bytes come, and for a layer
 * on how many they are: there only the same variant will do.
 *
 * @param imported - Real runs; null for none.
 * @param name - The candidate.
 * @returns Its spread, with what it rests on; null where no function says it.
 */
export function findImportedBefore(imported: ImportedRuns | null, name: ImportedName): KnownTime | null {
  const { variantId, delivery, startMode } = name;
  const isNear = (row: ImportRow) =>
    row.delivery === delivery || (startMode === 'snapstart' && row.delivery === null);
  const near = (imported?.rows ?? []).filter(
    (row) => row.state === 'cold' && row.startMode === startMode && isNear(row) && beforeOf(row) !== null,
  );
  const own = mostCalls(near.filter((row) => row.variantId === variantId));
  const found = own ?? (delivery === 'layer' ? undefined : mostCalls(near));
  const before = found === undefined ? null : beforeOf(found);
  if (found === undefined || before === null) return null;
  const what = startMode === 'snapstart' ? 'restore' : 'environment';
  const { median, p95, min, max, count } = before;
  return {
    value: median,
    p95,
    min,
    max,
    count,
    evidence: { kind: 'imported', what, source: citeRow(found) },
  };
}

function beforeOf({ environmentMs, restoreMs, startMode }: ImportRow): Spread | null {
  return environmentMs ?? (startMode === 'snapstart' ? restoreMs : null);
}

/**
 * Says whose runs a figure is of.
 *
 * @param row - The row.
 * @returns Such as `15 cold calls of FUNCTION on Lambda, 4096 MiB, snapstart`.
 */
export function citeRow({ functionName, variantId, calls, state, memoryMiB, startMode }: ImportRow): string {
  const what = variantId === null ? functionName : `${functionName} (${variantId})`;
  const counted = `${calls} ${state} ${calls === 1 ? 'call' : 'calls'}`;
  return `${counted} of ${what} on Lambda, ${memoryMiB} MiB, ${startMode}`;
}

function isSameFunction(row: ImportRow, cold: ImportRow): boolean {
  return row.functionName === cold.functionName && row.threads === cold.threads;
}

/** The first by name of equal ones. */
function mostCalls(rows: readonly ImportRow[]): ImportRow | undefined {
  return rows.toSorted(
    (left, right) =>
      right.calls - left.calls || (left.functionName < right.functionName ? -1 : Number(left !== right)),
  )[0];
}
