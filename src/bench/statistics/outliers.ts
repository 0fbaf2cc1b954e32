import { fewestSamples } from '../../lib/sample-counts.js';
import { medianOf } from './median.js';

/** Values further from the median than this many deviations are flagged. */
const mostDeviations = 3.5;
/** Makes the median absolute deviation an estimate of the standard deviation where values are normal. */
const medianScale = 1.4826;
/** The same for the mean absolute deviation: √(π ÷ 2). */
const meanScale = 1.253314;

/**
 * Flags values that lie far off: |x − median| > 3.5 × 1.4826 × MAD, where MAD is the median of |x − median|. Flagged
 * values stay part of every figure; a flag says only that something else went on then.
 *
 * Where more than half of the values are equal, MAD is 0 and would flag every other value, however near. The mean
 * absolute deviation × 1.2533 takes its place then.
 *
 * @param values - One number per sample, any unit, in any order; not changed.
 * @returns Indices of the flagged values, ascending; none of fewer than six values, of which two that happen to be equal
 *   would make outliers of the others.
 * @see Iglewicz and Hoaglin, How to Detect and Handle Outliers (1993), the modified Z-score and its bound 3.5;
 *   https://www.itl.nist.gov/div898/handbook/eda/section3/eda35h.htm; hyperfine flags by the same score.
 */
export function flagOutliers(values: readonly number[]): number[] {
  if (values.length < fewestSamples) return [];
  const median = medianOf(values);
  const distances = values.map((value) => Math.abs(value - median));
  const bound = mostDeviations * estimateDeviation(distances);
  return distances.flatMap((distance, index) => (distance > bound ? [index] : []));
}

function estimateDeviation(distances: readonly number[]): number {
  const byMedian = medianScale * medianOf(distances);
  if (byMedian > 0) return byMedian;
  return (meanScale * distances.reduce((sum, distance) => sum + distance, 0)) / distances.length;
}
