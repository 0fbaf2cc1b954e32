import { type Metric, type Objective, weighMetrics } from '../lib/objective.js';
import { readMetric } from './judge-candidate.js';
import type { PickCandidate, PickMeasure, PickSamples } from './pick-candidate.js';

/** What is minimised, and how far it is known. */
export type Figures = {
  readonly value: number;
  /** Lowest and highest sample; null when nothing is known of them: the value is taken as exact then. */
  readonly range: { readonly min: number; readonly max: number } | null;
  /** Empty when nothing is known of them. */
  readonly samples: PickSamples;
};

/** A candidate that may win, with the value that is minimised. */
export type Contender = Figures & {
  readonly candidate: PickCandidate;
  /** The same without the times that no sample here holds. */
  readonly measured: Figures;
  /** Those times, one per metric that counts, ms; null where one was measured as a whole elsewhere. */
  readonly unseenMs: readonly number[] | null;
};

/** One metric's part in what is minimised. */
type Part = {
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
    return { share: weight / sum, base: isScore ? lowest : 1 };
  });
  return candidates.map((candidate) => {
    const counted = weighed.map(({ metric }) => readFigures(candidate, metric));
    const unseenMs = counted.map((figures) => figures.unseenMs).filter((ms) => ms !== null);
    return {
      candidate,
      ...weigh(counted, parts),
      measured: weigh(counted.map(leaveUnseen), parts),
      unseenMs: unseenMs.length === counted.length ? unseenMs : null,
    };
  });
}

/** One metric of a candidate. */
type MetricFigures = Figures & Pick<PickMeasure, 'unseenMs'>;

function readFigures(candidate: PickCandidate, metric: Metric): MetricFigures {
  const value = readMetric(candidate, metric) ?? Number.NaN;
  const measure = metric === 'size' ? null : candidate.measures[metric];
  if (measure === null) return { value, range: null, samples: [], unseenMs: 0 };
  return { value, range: rangeOf(measure), samples: measure.samples, unseenMs: measure.unseenMs };
}

/** What is left where nothing was sampled is exact. */
function leaveUnseen(figures: MetricFigures): MetricFigures {
  const unseenMs = figures.unseenMs ?? 0;
  if (unseenMs === 0) return figures;
  const value = figures.value - unseenMs;
  const samples = figures.samples.map((one) => ({ ...one, value: one.value - unseenMs }));
  const values = samples.length === 0 ? [value] : samples.map((one) => one.value);
  return { value, samples, range: { min: Math.min(...values), max: Math.max(...values) }, unseenMs: 0 };
}

function weigh(counted: readonly MetricFigures[], parts: readonly Part[]): Figures {
  const isSpread = counted.some(({ range }) => range !== null);
  const end = (which: 'min' | 'max') =>
    combine(
      parts,
      counted.map(({ value, range }) => range?.[which] ?? value),
    );
  return {
    value: combine(
      parts,
      counted.map(({ value }) => value),
    ),
    range: isSpread ? { min: end('min'), max: end('max') } : null,
    samples: combineSamples(counted, parts),
  };
}

function combine(parts: readonly Part[], values: readonly number[]): number {
  const ratios = parts.map(({ base }, index) => (values[index] ?? Number.NaN) / base);
  const [only] = ratios;
  if (only !== undefined && parts.length === 1) return only;
  const logarithm = parts.reduce(
    (sum, { share }, index) => sum + share * Math.log(ratios[index] ?? Number.NaN),
    0,
  );
  // So that equal scores stay equal whatever was rounded on the way.
  return Number(Math.exp(logarithm).toPrecision(12));
}

/** Of the rounds that have a sample of everything that was sampled; the rest is taken as exact. */
function combineSamples(counted: readonly MetricFigures[], parts: readonly Part[]): PickSamples {
  const rounds = counted.map(({ samples }) => new Map(samples.map((one) => [one.round, one.value])));
  const sampled = rounds.filter(({ size }) => size > 0);
  const [first, ...rest] = sampled;
  if (first === undefined) return [];
  const common = [...first.keys()].filter((round) => rest.every((byRound) => byRound.has(round)));
  return common.map((round) => ({
    round,
    value: combine(
      parts,
      counted.map(({ value }, index) => rounds[index]?.get(round) ?? value),
    ),
  }));
}

function rangeOf({ min, max }: PickMeasure): Figures['range'] {
  if (min === null || max === null) return null;
  return Number.isFinite(min) && Number.isFinite(max) ? { min, max } : null;
}
