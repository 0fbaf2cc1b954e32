import type { Evidence, PickMeasure } from './pick/pick-candidate.js';

/** A time that was not measured here, how it spread where it was, and what it rests on; milliseconds. */
export type KnownTime = Pick<PickMeasure, 'value' | 'p95' | 'min' | 'max' | 'count'> & {
  readonly evidence: Evidence;
};

/**
 * Takes what somebody states of a time. One figure has no tail: it is the median, and neither a 95th percentile nor the
 * highest of anything.
 *
 * @param ms - The median.
 * @param p95Ms - Its 95th percentile; null when that is not stated.
 * @param evidence - Who states it.
 * @returns The time.
 */
export function stateTime(ms: number, p95Ms: number | null, evidence: Evidence): KnownTime {
  return { value: ms, p95: p95Ms, min: ms, max: p95Ms ?? ms, count: 0, evidence };
}

/**
 * Adds what passes before a process to what was measured in it. How the two go together nobody measured: the ends and the
 * tails are added up, which bounds them.
 *
 * @param measured - What was measured here.
 * @param known - What comes before.
 * @returns The whole; its samples are moved by the median of what comes before.
 */
export function addUnseen(measured: PickMeasure, known: KnownTime): PickMeasure {
  const add = (one: number | null, other: number | null) =>
    one === null || other === null ? null : one + other;
  // Without a 95th percentile of either, the highest of both is what is known of the tail.
  const highest = known.max === null ? known.p95 : Math.max(known.max, known.p95 ?? known.max);
  return {
    value: measured.value + known.value,
    p95: add(measured.p95, known.p95),
    min: add(measured.min, known.min),
    max: add(measured.max, highest),
    count: countOf(measured, known),
    unseenMs: known.value,
    isSummed: true,
    samples: measured.samples.map(({ round, value }) => ({ round, value: value + known.value })),
    evidence: [known.evidence, ...measured.evidence],
  };
}

function countOf(measured: PickMeasure, { count, p95 }: KnownTime): number {
  if (count > 0) return Math.min(count, measured.count);
  return p95 === null ? 0 : measured.count;
}
