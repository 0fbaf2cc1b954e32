import { emptyHalfStats, type HalfStats, relativeErrorOf } from '../half/half-stats.js';
import type { WeightTotals } from './convert-options.js';
import { type KnownStats, rangeKey, type Weight } from './plan/weight.js';
import type { Conversion } from './plan-conversion.js';

/**
 * Finds what rounding did to a weight.
 *
 * @param weight - An FP32 tensor.
 * @param known - What is known of large ones.
 * @returns The statistics; those of nothing for a large one that was never rounded.
 */
export function statsOf(weight: Weight, known: KnownStats): HalfStats {
  if (weight.range === undefined) return weight.stats ?? emptyHalfStats;
  return known.get(rangeKey(weight.range)) ?? weight.stats ?? emptyHalfStats;
}

/**
 * Adds up what became of the weights.
 *
 * @param conversion - What was decided.
 * @param known - What rounding did to large weights while they were written.
 * @returns The totals.
 */
export function totalWeights({ stored, kept }: Conversion, known: KnownStats): WeightTotals {
  const all = stored.map((weight) => ({ weight, stats: statsOf(weight, known) }));
  const sum = (count: (stats: HalfStats) => number): number =>
    all.reduce((total, { stats }) => total + count(stats), 0);
  const values = stored.reduce((total, { sizeBytes }) => total + sizeBytes / 4, 0);
  return {
    storedAsFp16: stored.length,
    fp16Bytes: values * 2,
    losslessTensors: all.filter(({ weight, stats }) => stats.exactCount === weight.sizeBytes / 4).length,
    values,
    vanishedValues: sum(({ underflowCount }) => underflowCount),
    subnormalValues: sum(({ subnormalCount }) => subnormalCount),
    overflowingValues: kept.reduce((total, { weight }) => total + statsOf(weight, known).overflowCount, 0),
    // What does not fit stays FP32.
    clampedValues: 0,
    maxRelativeError: all.reduce((worst, { stats }) => Math.max(worst, relativeErrorOf(stats)), 0),
    keptFp32: kept.map(({ weight: { value, sizeBytes }, reason }) => ({
      name: value.name,
      scope: value.scope.scope.path,
      reason,
      sizeBytes,
    })),
  };
}
