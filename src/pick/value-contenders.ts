import { type Metric, type Objective, weighMetrics } from '../lib/objective.js';
import { readMetric } from './judge-candidate.js';
import type { PickCandidate, PickMeasure, PickSamples } from './pick-candidate.js';

/** A candidate that may win, with the value that is minimised and how far that is known. */
export type Contender = {
  readonly candidate: PickCandidate;
  readonly value: number;
  /** Lowest and highest sample; null when nothing is known of them: the value is taken as exact then. */
  readonly range: { readonly min: number; readonly max: number } | null;
  /** Empty when nothing is known of them. */
  readonly samples: PickSamples;
};

/** One metric's part in what is minimised. */
type Part = {
  readonly metric: Metric;
  /** Parts of one objective add up to 1. */
  readonly share: number;
  /** What a value is divided by. */
  readonly base: number;
};

/**
 * Finds what is minimised for each contender: the metric, or its score, which is the weighted geometric mean of how many
 * times the lowest contender each metric is. So a score of 1 is the lowest in everything; units do not matter; and which
 * of two contenders is ahead does not depend on a third, as it would by an arithmetic mean of such ratios.
 *
 * @param candidates - All that may win, each with a value of every metric that counts.
 * @param objective - What is minimised.
 * @returns One contender each, in their order.
 * @see https://doi.org/10.1145/5666.5673 (Fleming and Wallace: ratios are summed up by their geometric mean)
 */
export function valueContenders(
  candidates: readonly PickCandidate[],
  objective: Objective,
): readonly Contender[] {
  const weighed = weighMetrics(objective);
  const sum = weighed.reduce((total, { weight }) => total + weight, 0);
  const isScore = typeof objective !== 'string';
  const parts = weighed.map(({ metric, weight }): Part => {
    const lowest = Math.min(
      ...candidates.map((candidate) => readMetric(candidate, metric) ?? Number.POSITIVE_INFINITY),
    );
    return { metric, share: weight / sum, base: isScore ? lowest : 1 };
  });
  return candidates.map((candidate) => ({
    candidate,
    value: combine(parts, ({ metric }) => readMetric(candidate, metric) ?? Number.NaN),
    range: combineRanges(candidate, parts),
    samples: combineSamples(candidate, parts),
  }));
}

function combine(parts: readonly Part[], read: (part: Part) => number): number {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return read(only) / only.base;
  const mean = Math.exp(parts.reduce((sum, part) => sum + part.share * Math.log(read(part) / part.base), 0));
  // So that equal scores stay equal whatever was rounded on the way.
  return Number(mean.toPrecision(12));
}

function combineRanges(candidate: PickCandidate, parts: readonly Part[]): Contender['range'] {
  const isSpread = parts.some(({ metric }) => rangeOf(measureOf(candidate, metric)) !== null);
  if (!isSpread) return null;
  const end = (which: 'min' | 'max') =>
    combine(parts, ({ metric }) => {
      const range = rangeOf(measureOf(candidate, metric));
      return range === null ? (readMetric(candidate, metric) ?? Number.NaN) : range[which];
    });
  return { min: end('min'), max: end('max') };
}

/** Of the rounds that have a sample of everything that was sampled; the rest is taken as exact. */
function combineSamples(candidate: PickCandidate, parts: readonly Part[]): PickSamples {
  const sampled = parts.flatMap(({ metric }) => {
    const samples = measureOf(candidate, metric)?.samples ?? [];
    return samples.length === 0
      ? []
      : [{ metric, byRound: new Map(samples.map((one) => [one.round, one.value])) }];
  });
  const [first, ...rest] = sampled;
  if (first === undefined) return [];
  const rounds = [...first.byRound.keys()].filter((round) => rest.every(({ byRound }) => byRound.has(round)));
  return rounds.map((round) => ({
    round,
    value: combine(parts, ({ metric }) => {
      const own = sampled.find((one) => one.metric === metric)?.byRound.get(round);
      return own ?? readMetric(candidate, metric) ?? Number.NaN;
    }),
  }));
}

function measureOf(candidate: PickCandidate, metric: Metric): PickMeasure | null {
  return metric === 'size' ? null : candidate.measures[metric];
}

function rangeOf(measure: PickMeasure | null): Contender['range'] {
  if (measure === null || measure.min === null || measure.max === null) return null;
  const { min, max } = measure;
  return Number.isFinite(min) && Number.isFinite(max) ? { min, max } : null;
}
