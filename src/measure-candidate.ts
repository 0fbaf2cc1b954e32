import { type KnownTime, stateTime } from './add-unseen.js';
import type { BenchRow, BenchSample } from './bench/bench-result.js';
import {
  findImported,
  findImportedBefore,
  type ImportedName,
  type ImportedRuns,
} from './imported-figures.js';
import type { ComparedRow } from './lib/compared-row.js';
import type { Metric } from './lib/objective.js';
import { measureStart, type StartMeasures, type UnseenTimes } from './measure-starts.js';
import type { Evidence, PickCandidate, PickMeasures } from './pick/pick-candidate.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import { findCallPrices } from './price-calls.js';
import { type PricedCalls, priceImported, priceProcesses } from './price-candidate.js';

/** What a candidate is measured by. */
export type MeasureGround = {
  readonly name: ImportedName;
  readonly found: ComparedRow<BenchRow> | undefined;
  readonly samples: readonly BenchSample[];
  readonly imported: ImportedRuns | null;
  readonly pipeline: Pipeline;
  readonly beside: Beside;
};

/** What a candidate is compared with, as far as that decides what its own figures are worth. */
export type Beside = {
  /** Whether the total of any candidate counts what passes before the process. */
  readonly isEnvironmentCounted: boolean;
  /** Memory of the real runs that any candidate is measured by, MiB; null where none is. */
  readonly importedMemoryMiB: number | null;
};

/** The figures of a candidate, and whose they are. */
export type MeasuredCandidate = Pick<
  PickCandidate,
  'measures' | 'notComparable' | 'runs' | 'failures' | 'memoryMiB'
>;

const nothing: PickMeasures = {
  ...{ total: null, ready: null, steady: null, costPer100k: null, init: null, firstCall: null },
};

/**
 * Gathers the figures of one candidate: those of real runs on the platform where there are any, else what was measured
 * here, with what is known of the time before its process from real runs or from the pipeline, in that order.
 *
 * @param ground - What was measured, imported and stated.
 * @returns The figures.
 */
export function measureCandidate(ground: MeasureGround): MeasuredCandidate {
  const { name, found, imported, pipeline } = ground;
  const real = findImported(imported, name);
  const failures = found?.failures ?? 0;
  if (real !== undefined && imported !== null) {
    const { memoryMiB } = imported;
    const priced = priceImported(findCallPrices(pipeline, memoryMiB), name.startMode, real);
    return {
      ...combine(real.measures, priced),
      ...{ memoryMiB, runs: real.cold.calls, failures: real.cold.failures + failures },
    };
  }
  if (found === undefined)
    return {
      measures: nothing,
      notComparable: [],
      memoryMiB: imported?.memoryMiB ?? null,
      runs: 0,
      failures,
    };
  const { row } = found;
  const { runs, memoryMiB } = row;
  const reason = found.notComparable ?? explainOtherMemory(memoryMiB, ground.beside);
  if (reason !== null) {
    const every = ['total', 'ready', 'steady', 'costPer100k'] as const;
    const gaps = every.map((objective) => ({ objective, reason }));
    return { measures: nothing, notComparable: gaps, memoryMiB, runs, failures };
  }
  const measures = measureStart(row, ground.samples, name.startMode, findUnseen(ground, row));
  const prices = findCallPrices(pipeline, memoryMiB);
  const priced = priceProcesses(prices, name.startMode, row, ground.samples);
  return { ...combine(measures, priced), memoryMiB, runs, failures };
}

/** A function has a share of a processor by its memory: neither times nor prices of another one stand beside it. */
function explainOtherMemory(memoryMiB: number | null, { importedMemoryMiB }: Beside): string | null {
  if (importedMemoryMiB === null || memoryMiB === importedMemoryMiB) return null;
  const own = memoryMiB === null ? 'the whole machine' : `${memoryMiB} MiB`;
  return `measured with ${own}, beside real runs with ${importedMemoryMiB} MiB (\`bench.memoryMiB\`)`;
}

function combine(
  { gap, ...measures }: StartMeasures,
  { cost, reason }: PricedCalls,
): Pick<MeasuredCandidate, 'measures' | 'notComparable'> {
  const list = (objectives: readonly Metric[], why: string | null) =>
    why === null ? [] : objectives.map((objective) => ({ objective, reason: why }));
  return {
    measures: { ...measures, costPer100k: cost },
    notComparable: [...list(['total', 'ready'], gap), ...list(['costPer100k'], reason)],
  };
}

function findUnseen({ name, imported, pipeline, beside }: MeasureGround, row: BenchRow): UnseenTimes {
  return {
    environment:
      findImportedBefore(imported, { ...name, startMode: 'on-demand' }) ?? findStatedBefore(row, pipeline),
    restore: findImportedBefore(imported, { ...name, startMode: 'snapstart' }) ?? findStatedRestore(pipeline),
    isCounted: beside.isEnvironmentCounted,
  };
}

function findStatedBefore({ environment, delivery }: BenchRow, { bench }: Pipeline): KnownTime | null {
  if (environment === null) return null;
  const p95Ms = bench.environment?.[delivery]?.p95Ms ?? null;
  return stateTime(environment.ms, p95Ms, assume('environment', environment.source));
}

function findStatedRestore({ pick: { startModes } }: Pipeline): KnownTime | null {
  const { restoreMs, restoreP95Ms, source } = startModes.snapstart ?? {};
  if (restoreMs === undefined) return null;
  return stateTime(restoreMs, restoreP95Ms ?? null, assume('restore', source ?? null));
}

function assume(what: string, source: string | null): Evidence {
  return { kind: 'assumed', what, source };
}
