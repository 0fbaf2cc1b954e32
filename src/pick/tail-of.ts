import type { PickCandidate, PickMeasures } from './pick-candidate.js';

/** How long a time gets, other than its median: what a limit is held against, milliseconds. */
export type Tail = {
  readonly valueMs: number;
  /** Null for a 95th percentile; else how many runs there are, of which it is the highest sample. */
  readonly highestOf: number | null;
};

/**
 * Finds how long a time gets: its 95th percentile, and the highest sample where there are too few for one. A median is
 * never taken for it.
 *
 * @param candidate - One candidate.
 * @param name - Which of its times.
 * @returns The tail; null when nothing is known of one.
 */
export function tailOf({ measures, runs }: PickCandidate, name: keyof PickMeasures): Tail | null {
  const measure = measures[name];
  if (measure === null) return null;
  const { p95, max, samples } = measure;
  if (isKnown(p95)) return { valueMs: p95, highestOf: null };
  return isKnown(max) ? { valueMs: max, highestOf: samples.length || runs } : null;
}

function isKnown(value: number | null): value is number {
  return value !== null && !Number.isNaN(value);
}
