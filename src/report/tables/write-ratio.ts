import { fewestSamples } from '../../lib/sample-counts.js';
import type { BenchReport } from '../documents/bench-result.js';

/** A ratio of medians with its interval. */
type Ratio = BenchReport['comparisons'][number]['total'];

/**
 * Writes a ratio with its interval.
 *
 * @param ratio - A ratio of medians.
 * @returns Such as `1.52 × (1.47–1.58)`, or `2.10 × (too few samples: 3 of 6)` where there is no interval.
 */
export function writeRatio({ ratio, low, high, samples, verdict }: Ratio): string {
  if (verdict === 'too-few-samples') {
    return `${ratio.toFixed(2)} × (too few samples: ${samples} of ${fewestSamples})`;
  }
  const digits = high < 1.095 && low > 0.905 && high - low < 0.02 ? 3 : 2;
  return `${ratio.toFixed(digits)} × (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}

/**
 * Writes a ratio with what it comes to.
 *
 * @param ratio - A ratio of medians.
 * @returns The ratio and its interval, or that it says nothing for sure, with the interval that includes 1.
 */
export function writeVerdict(ratio: Ratio): string {
  const written = writeRatio(ratio);
  const isUnsure = ratio.verdict === 'no-measurable-difference';
  return isUnsure ? `no measurable difference ${written.slice(written.indexOf('('))}` : written;
}
