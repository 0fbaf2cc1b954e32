import type { Delivery } from '../lib/delivery.js';
import { type Phases, sumPhases } from '../lib/phases.js';
import type { BenchOptions } from './bench-options.js';
import type { BenchQuantity, BenchRow, BenchSample, PhysicalLimit } from './bench-result.js';
import { type CacheState, cacheStates } from './cache/cache-state.js';
import { limitOf } from './physical-limit.js';
import { isSameRow, nameRow, type PlannedRow } from './plan-rows.js';
import { sessionOf } from './session-of-row.js';
import { flagOutliers } from './statistics/outliers.js';
import { type Spread, spreadOf } from './statistics/spread.js';

const phaseNames = ['startMs', 'runtimeMs', 'downloadMs', 'sessionMs', 'firstInferenceMs'] as const;
const sumNames = ['loadMs', 'coldStartMs', 'totalMs', 'readyMs'] as const;

/** What rows are summed up from besides their samples. */
export type RowGround<Row extends PlannedRow = PlannedRow> = {
  /** What is stated of the time before the process exists. */
  readonly environment: BenchOptions['environment'];
  /** What no loading of a row could beat, ms; null where that is not known. */
  readonly limitOf: (
    row: Row,
    cache: CacheState,
  ) => Pick<PhysicalLimit, 'linkBytes' | 'linkMs' | 'sessionMs'> | null;
};

/**
 * Sums the samples of each row up, apart for each state of the page cache that they found. Sums are formed per sample and
 * then summed up, since medians do not add.
 *
 * @param rows - What was to be measured.
 * @param samples - All samples, in any order.
 * @param ground - What else rows say.
 * @returns One row per state that occurred, in the order of the rows; none where nothing was sampled.
 */
export function summariseRows<Row extends PlannedRow>(
  rows: readonly Row[],
  samples: readonly BenchSample[],
  ground: RowGround<Row>,
): BenchRow[] {
  return rows.flatMap((row) => {
    const own = samples.filter((sample) => isSameRow(sample, nameRow(row)));
    return cacheStates
      .map((state) => [state, own.filter((sample) => sample.cache === state)] as const)
      .filter(([, found]) => found.length > 0)
      .map(([state, found]) => summariseRow(row, state, found, ground));
  });
}

function summariseRow<Row extends PlannedRow>(
  row: Row,
  cache: CacheState,
  samples: readonly BenchSample[],
  ground: RowGround<Row>,
): BenchRow {
  const peaks = samples.flatMap((sample) => sample.peakRssBytes ?? []);
  const phases = summarisePhases(samples, row.delivery === 'lazy');
  const limit = ground.limitOf(row, cache);
  const [loadMs, sessionMs] = [phases.loadMs?.median ?? null, phases.sessionMs?.median ?? null];
  return {
    ...nameRow(row),
    cache,
    session: sessionOf(row),
    runs: samples.length,
    failures: samples.filter((sample) => sample.error !== null).length,
    phases,
    outliers: listOutliers(samples),
    peakRssBytes: peaks.length === 0 ? null : Math.max(...peaks),
    ...describeEnvironment(row.delivery, ground.environment),
    limit: limit === null ? null : limitOf(limit, { loadMs, sessionMs }),
  };
}

function listOutliers(samples: readonly BenchSample[]): number[] {
  const measured = samples.flatMap(({ phases, run }) =>
    phases === null ? [] : [{ run, totalMs: sumPhases(phases, false).totalMs }],
  );
  return flagOutliers(measured.map((each) => each.totalMs)).flatMap((place) => measured[place]?.run ?? []);
}

/**
 * Says what is stated of the time before a row's process exists, and what cannot be compared without it.
 *
 * @param delivery - The row's.
 * @param environment - What is stated, by delivery.
 * @returns That part of the row.
 */
export function describeEnvironment(
  delivery: Delivery,
  environment: BenchOptions['environment'],
): Pick<BenchRow, 'environment' | 'comparable'> {
  const stated = environment[delivery] ?? null;
  const gap = delivery === 'layer' && stated === null ? layerGap : null;
  return { environment: stated, comparable: { total: gap, ready: gap } };
}

const layerGap = 'the time before the process exists is not stated (`bench.environment.layer`)';

function summarisePhases(
  samples: readonly BenchSample[],
  isLazy: boolean,
): Readonly<Record<BenchQuantity, Spread | null>> {
  const measured = samples.flatMap(({ phases }) =>
    phases === null ? [] : [{ ...phases, ...sumPhases(phases, isLazy) }],
  );
  const spreads = [...phaseNames, ...sumNames].map(
    (name) => [name, spreadOf(measured.map((each) => each[name]))] as const,
  );
  return {
    ...(Object.fromEntries(spreads) as Record<keyof Phases | (typeof sumNames)[number], Spread | null>),
    steadyMs: spreadOf(samples.flatMap((sample) => sample.steadyMs)),
  };
}
