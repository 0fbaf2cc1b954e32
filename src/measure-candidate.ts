import type { BenchRow, BenchSample } from './bench/bench-result.js';
import {
  findImported,
  findImportedBefore,
  type ImportedName,
  type ImportedRuns,
} from './imported-figures.js';
import type { ComparedRow } from './lib/compared-row.js';
import type { Metric } from './lib/objective.js';
import { listStartModes } from './list-start-modes.js';
import { type KnownTime, measureStart, type StartMeasures, type UnseenTimes } from './measure-starts.js';
import type { PickCandidate, PickMeasures } from './pick/pick-candidate.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import type { CallPrices } from './price-calls.js';
import { type PricedCalls, priceImported, priceProcesses } from './price-candidate.js';

/** What a candidate is measured by. */
export type MeasureGround = {
  readonly name: ImportedName;
  readonly found: ComparedRow<BenchRow> | undefined;
  readonly samples: readonly BenchSample[];
  readonly imported: ImportedRuns | null;
  readonly prices: CallPrices;
  readonly pipeline: Pipeline;
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
  const { name, found, imported, prices, pipeline } = ground;
  const real = findImported(imported, name);
  const failures = found?.failures ?? 0;
  const [memory = null] = [found?.row.memoryMiB ?? imported?.memoryMiB];
  if (real !== undefined && imported !== null) {
    const priced = priceImported(prices, name.startMode, real);
    return {
      ...combine(real.measures, priced),
      ...{ memoryMiB: imported.memoryMiB, runs: real.cold.calls, failures: real.cold.failures + failures },
    };
  }
  const runs = found?.row.runs ?? 0;
  if (found === undefined) return { measures: nothing, notComparable: [], memoryMiB: memory, runs, failures };
  const { row, notComparable: reason } = found;
  if (reason !== null) {
    const every = ['total', 'ready', 'steady', 'costPer100k'] as const;
    const gaps = every.map((objective) => ({ objective, reason }));
    return { measures: nothing, notComparable: gaps, memoryMiB: row.memoryMiB, runs, failures };
  }
  const unseen = findUnseen(ground, row, pipeline);
  const measures = measureStart(row, ground.samples, name.startMode, unseen);
  const priced = priceProcesses(prices, name.startMode, row, ground.samples);
  return { ...combine(measures, priced), memoryMiB: row.memoryMiB, runs, failures };
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

function findUnseen({ name, imported }: MeasureGround, row: BenchRow, pipeline: Pipeline): UnseenTimes {
  const { snapstart } = pipeline.pick.startModes;
  const state = (stated: { ms: number | undefined; source: string | undefined } | null, what: string) =>
    stated?.ms === undefined ? null : assume(stated.ms, what, stated.source ?? null);
  const stated = snapstart === undefined ? null : { ms: snapstart.restoreMs, source: snapstart.source };
  return {
    environment:
      findImportedBefore(imported, { ...name, startMode: 'on-demand' }) ??
      state(row.environment, 'environment'),
    restore: findImportedBefore(imported, { ...name, startMode: 'snapstart' }) ?? state(stated, 'restore'),
    isAmongModes: listStartModes(pipeline).length > 1,
  };
}

function assume(ms: number, what: string, source: string | null): KnownTime {
  return { ms, evidence: { kind: 'assumed', what, source } };
}
