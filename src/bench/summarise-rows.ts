import type { Delivery } from '../lib/delivery.js';
import { type Phases, sumPhases } from '../lib/phases.js';
import type { BenchOptions } from './bench-options.js';
import type { BenchQuantity, BenchRow, BenchSample } from './bench-result.js';
import type { PlannedRow } from './plan-rows.js';
import { type Spread, spreadOf } from './statistics/spread.js';

const phaseNames = ['startMs', 'runtimeMs', 'downloadMs', 'sessionMs', 'firstInferenceMs'] as const;
const sumNames = ['loadMs', 'coldStartMs', 'totalMs', 'readyMs'] as const;

/**
 * Sums the samples of each row up. Sums are formed per sample and then summed up, since medians do not add.
 *
 * @param rows - What was to be measured.
 * @param samples - All samples, in any order.
 * @param environment - What is stated of the time before the process exists.
 * @returns One row each, in their order.
 */
export function summariseRows(
  rows: readonly PlannedRow[],
  samples: readonly BenchSample[],
  environment: BenchOptions['environment'],
): BenchRow[] {
  return rows.map((row) => {
    const { variantId } = row.target;
    const own = samples.filter(
      (sample) => sample.variantId === variantId && sample.delivery === row.delivery,
    );
    const peaks = own.flatMap((sample) => sample.peakRssBytes ?? []);
    return {
      variantId,
      delivery: row.delivery,
      runs: own.length,
      failures: own.filter((sample) => sample.error !== null).length,
      phases: summarisePhases(own, row.delivery === 'lazy'),
      peakRssBytes: peaks.length === 0 ? null : Math.max(...peaks),
      ...describeEnvironment(row.delivery, environment),
    };
  });
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
