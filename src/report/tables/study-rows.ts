import type { BenchReport, BenchReportSample } from '../documents/bench-result.js';
import type { ImportReport, ImportReportRow } from '../documents/import-result.js';
import { markMemory, samplesOf, writeMemory } from './bench/name-row.js';

/** How one quantity spread, milliseconds. */
type StudySpread = { readonly median: number; readonly min: number; readonly max: number };

/** The six metrics of the cold-start study; null without a measurement. */
export type StudyMetrics = Readonly<Record<keyof ImportReportRow['metrics'], StudySpread | null>>;

/** Cold starts of one function on Lambda, or of one variant by one delivery here. */
export type StudyRow = {
  readonly name: string;
  readonly place: 'here' | 'Lambda';
  readonly memory: string;
  /** Inside one operator; null where nothing says it. */
  readonly threads: number | null;
  readonly startMode: string;
  readonly runs: number;
  readonly failures: number;
  /** From the call until the process exists. `unseen`: nobody says it, so that the metrics leave it out. */
  readonly environment:
    | { readonly kind: 'measured'; readonly spread: StudySpread | null }
    | { readonly kind: 'stated'; readonly ms: number; readonly source: string }
    | { readonly kind: 'unseen' };
  readonly metrics: StudyMetrics;
};

/**
 * Works the study's metrics out for what was measured here, as an import does for Lambda: what passes before the load is the
 * start of the process, the engine's library and what is stated of the environment; sums are formed per sample.
 *
 * @param bench - The part of a benchmark in one cache state.
 * @returns One row per row of it.
 */
export function listLocalRows(bench: BenchReport): readonly StudyRow[] {
  return bench.rows.map((row) => ({
    name: `${row.variantId} by ${row.delivery}`,
    place: 'here',
    memory: markMemory(row.memoryMiB, bench.profiles),
    threads: bench.profiles.find(({ memoryMiB }) => memoryMiB === row.memoryMiB)?.threads ?? null,
    startMode: 'new process',
    runs: row.runs,
    failures: row.failures,
    environment: row.environment === null ? { kind: 'unseen' } : { kind: 'stated', ...row.environment },
    metrics: measureSamples(samplesOf(bench, row), row.environment?.ms ?? 0),
  }));
}

/**
 * Takes the cold starts out of imported runs; a benchmark here has nothing to set beside a warm call.
 *
 * @param report - An import.
 * @returns One row per cold row of it.
 */
export function listImportedRows(report: ImportReport): readonly StudyRow[] {
  return report.rows
    .filter(({ state }) => state === 'cold')
    .map((row) => ({
      name: nameFunction(row),
      place: 'Lambda',
      memory: writeMemory(row.memoryMiB),
      threads: row.threads,
      startMode: row.startMode,
      runs: row.calls,
      failures: row.failures,
      environment: { kind: 'measured', spread: row.environmentMs },
      metrics: row.metrics,
    }));
}

function nameFunction({ functionName, variantId, delivery }: ImportReportRow): string {
  const words = [variantId, delivery === null ? null : `by ${delivery}`].filter((word) => word !== null);
  return words.length === 0 ? functionName : `${functionName} (${words.join(' ')})`;
}

function measureSamples(samples: readonly BenchReportSample[], environmentMs: number): StudyMetrics {
  const measured = samples.flatMap(({ phases, steadyMs }) => {
    if (phases === null) return [];
    const callingToLoadModelMs = environmentMs + phases.startMs + phases.runtimeMs;
    const loadModelMs = phases.downloadMs + phases.sessionMs;
    const initialInferenceMs = phases.firstInferenceMs;
    const callingLoadSumMs = callingToLoadModelMs + loadModelMs;
    return {
      ...{ callingToLoadModelMs, loadModelMs, initialInferenceMs, callingLoadSumMs },
      totalMetricMs: callingLoadSumMs + initialInferenceMs,
      // Of each process by itself, as a function tells it of each call.
      approxInferenceTimeMs: steadyMs.length === 0 ? null : meanOf(steadyMs),
    };
  });
  const spread = (name: keyof StudyMetrics) =>
    spreadValues(measured.map((each) => each[name]).filter((value) => value !== null));
  return {
    callingToLoadModelMs: spread('callingToLoadModelMs'),
    loadModelMs: spread('loadModelMs'),
    initialInferenceMs: spread('initialInferenceMs'),
    approxInferenceTimeMs: spread('approxInferenceTimeMs'),
    callingLoadSumMs: spread('callingLoadSumMs'),
    totalMetricMs: spread('totalMetricMs'),
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function spreadValues(values: readonly number[]): StudySpread | null {
  const sorted = [...values].sort((left, right) => left - right);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return null;
  const half = sorted.length / 2;
  const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return { median: meanOf(middle), min, max };
}
