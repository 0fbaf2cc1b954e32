import { type Metric, metrics, type Weights } from '../api/choices.js';
import { commander } from './commander.js';
import { parseNumber } from './parse-option.js';

/** What flags call the metrics: words with dashes, as all flags are. */
const words: Readonly<Record<string, Metric>> = {
  ...Object.fromEntries(metrics.map((metric) => [metric, metric])),
  'cost-per-100k': 'costPer100k',
  cost: 'costPer100k',
};

/** The words that help and messages name. */
export const metricWords: readonly string[] = ['total', 'ready', 'steady', 'size', 'cost-per-100k'];

/**
 * Reads what is minimised.
 *
 * @param text - One of {@link metricWords}; a metric's name in the pipeline file, and `cost`, are known too.
 * @returns The metric.
 * @throws InvalidArgumentError, which commander words.
 */
export function parseMetric(text: string): Metric {
  const metric = Object.hasOwn(words, text) ? words[text] : undefined;
  if (metric !== undefined) return metric;
  throw new commander.InvalidArgumentError(`Allowed choices are ${metricWords.join(', ')}.`);
}

/**
 * Reads the weights of several metrics.
 *
 * @param text - Such as `total=0.7,cost-per-100k=0.3`.
 * @returns The weight of each metric that is named, 0 or more, one of them above.
 * @throws InvalidArgumentError, which commander words.
 */
export function parseWeights(text: string): Weights {
  const pairs = text.split(',').map(parseWeight);
  const names = pairs.map(([metric]) => metric);
  if (new Set(names).size !== names.length) {
    throw new commander.InvalidArgumentError('It names a metric more than once.');
  }
  if (pairs.every(([, weight]) => weight === 0)) {
    throw new commander.InvalidArgumentError('One weight at least must be above 0.');
  }
  return Object.fromEntries(pairs);
}

function parseWeight(part: string): readonly [Metric, number] {
  const [, name, digits] = /^\s*([^=\s]+)\s*=\s*(\S+)\s*$/.exec(part) ?? [];
  if (name === undefined || digits === undefined) {
    throw new commander.InvalidArgumentError(
      'It must be METRIC=WEIGHT,… such as total=0.7,cost-per-100k=0.3.',
    );
  }
  const weight = parseNumber(digits);
  if (weight < 0) throw new commander.InvalidArgumentError('A weight must be 0 or more.');
  return [parseMetric(name), weight];
}
