/**
 * Samples that a figure needs before it may be compared with another: with fewer not even all of them hold the true
 * median in 95 % of all cases, whatever the distribution.
 */
export const fewestSamples = 6;

/** Values that a 95th percentile needs; of fewer it would be the highest. */
export const fewestForP95 = 20;
