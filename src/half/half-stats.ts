/** What rounding to FP16 did to an array. */
export type HalfStats = {
  /** Finite numbers that became infinite: |x| ≥ 65520. */
  readonly overflowCount: number;
  /** Numbers other than zero that became zero: |x| ≤ 2^-25. */
  readonly underflowCount: number;
  /** Numbers stored as FP16 subnormals, with fewer than 11 significant bits. */
  readonly subnormalCount: number;
  /** Numbers that FP16 holds exactly, zeros, infinities and NaN among them. */
  readonly exactCount: number;
  /** Largest magnitude of a finite number before rounding, 0 if there is none. */
  readonly largest: number;
  /** Sum of (rounded − x)², over finite numbers that stayed finite and whose magnitude is above 2^-60. */
  readonly squaredError: number;
  /** Sum of x² over the same numbers. */
  readonly squaredNorm: number;
};

/** The statistics of nothing at all: where adding starts. */
export const emptyHalfStats: HalfStats = {
  overflowCount: 0,
  underflowCount: 0,
  subnormalCount: 0,
  exactCount: 0,
  largest: 0,
  squaredError: 0,
  squaredNorm: 0,
};

/**
 * Adds the statistics of two pieces of one array.
 *
 * @param left - One piece.
 * @param right - The other piece.
 * @returns The statistics of both together.
 */
export function addHalfStats(left: HalfStats, right: HalfStats): HalfStats {
  return {
    overflowCount: left.overflowCount + right.overflowCount,
    underflowCount: left.underflowCount + right.underflowCount,
    subnormalCount: left.subnormalCount + right.subnormalCount,
    exactCount: left.exactCount + right.exactCount,
    largest: Math.max(left.largest, right.largest),
    squaredError: left.squaredError + right.squaredError,
    squaredNorm: left.squaredNorm + right.squaredNorm,
  };
}

/**
 * Says how far an array moved when it was rounded: ‖rounded − exact‖ / ‖exact‖ over what stayed finite.
 *
 * @param stats - What the rounding did.
 * @returns From 0, all exact but for numbers below 2^-60 beside larger ones, to 1, everything became 0.
 */
export function relativeErrorOf(stats: HalfStats): number {
  if (stats.squaredNorm > 0) return Math.sqrt(stats.squaredError / stats.squaredNorm);
  return stats.underflowCount > 0 ? 1 : 0;
}
