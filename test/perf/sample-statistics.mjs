// Middle and spread of a few samples.

/**
 * Finds the median.
 * @param {readonly number[]} values - At least one.
 * @returns {number} The middle one, or the mean of the two in the middle.
 */
export function median(values) {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Sums up the samples of one subject.
 * @param {readonly { wallMs: number, cpuMs: number | null, peakBytes: number | null }[]} samples - At least one.
 * @returns {object} Medians with the smallest and largest wall time, and the largest peak.
 */
export function summarise(samples) {
  const walls = samples.map(({ wallMs }) => wallMs);
  const cpus = samples.flatMap(({ cpuMs }) => (cpuMs === null ? [] : [cpuMs]));
  const peaks = samples.flatMap(({ peakBytes }) => (peakBytes === null ? [] : [peakBytes]));
  return {
    runs: samples.length,
    wallMs: median(walls),
    minWallMs: Math.min(...walls),
    maxWallMs: Math.max(...walls),
    cpuMs: cpus.length === 0 ? null : median(cpus),
    maxPeakBytes: peaks.length === 0 ? null : Math.max(...peaks),
  };
}
