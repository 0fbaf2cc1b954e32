import type { PickCandidate, PickMeasures } from './pick-candidate.js';

/** How long a time gets, other than its median: what a limit is held against, milliseconds. */
export type Tail = {
  readonly valueMs: number;
  /** Null for a 95th percentile; else how many samples there are, of which it is the highest. */
  readonly highestOf: number | null;
  /** Whether it is that of parts that were measured apart, added up: a bound. */
  readonly isSummed: boolean;
};

/**
 * Finds how long a time gets: its 95th percentile, and the highest sample where there are too few for one. A median is
 * never taken for it, nor what is stated of a part without one.
 *
 * @param candidate - One candidate.
 * @param name - Which of its times.
 * @returns The tail; null when nothing is known of one.
 */
export function tailOf({ measures }: Pick<PickCandidate, 'measures'>, name: keyof PickMeasures): Tail | null {
  const measure = measures[name];
  if (measure === null) return null;
  const { p95, max, count, isSummed } = measure;
  if (isKnown(p95)) return { valueMs: p95, highestOf: null, isSummed };
  return isKnown(max) && count > 0 ? { valueMs: max, highestOf: count, isSummed } : null;
}

function isKnown(value: number | null): value is number {
  return value !== null && !Number.isNaN(value);
}
