import type { Objective } from '../lib/objective.js';
import { type Contender, compareBurdens, compareContenders } from './compare-candidates.js';
import { measureOf } from './judge-candidate.js';
import type { TellsApart } from './pick-rules.js';

/** Medians further apart than this share of the lowest are never taken for equal, however wide the samples spread. */
const noiseShare = 0.02;

/** Lowest and highest sample, milliseconds. */
type Range = { readonly min: number; readonly max: number };

/** Who won, and against what the lead has to be read. */
export type Choice = {
  readonly objective: Objective;
  readonly winner: Contender;
  /** The lowest on the objective; another one than the winner only within the noise. */
  readonly lowest: Contender;
  /** All but the winner, lowest first. */
  readonly others: readonly Contender[];
  /** Those of `others` whose samples overlap the winner's. */
  readonly overlapping: readonly Contender[];
};

/**
 * Chooses the lowest; but of those that measuring does not tell from it, the one that burdens a release least: their
 * samples overlap the lowest's, and their medians are at most 2 % above.
 *
 * @param contenders - All that may win, in any order.
 * @param objective - What is minimised.
 * @param tellsApart - Whether measuring tells two of them apart.
 * @returns The choice, or null when there is nothing to choose from.
 */
export function chooseContender(
  contenders: readonly Contender[],
  objective: Objective,
  tellsApart: TellsApart,
): Choice | null {
  const sorted = [...contenders].sort(compareContenders);
  const [lowest] = sorted;
  if (lowest === undefined) return null;
  const pairs = Math.max(1, (sorted.length * (sorted.length - 1)) / 2);
  const isApart = (left: Contender, right: Contender) => {
    const [one, other] = [left, right].map(({ candidate }) => measureOf(candidate, objective)?.samples ?? []);
    return tellsApart(one ?? [], other ?? [], pairs);
  };
  const alike = sorted.filter((contender) => {
    if (contender === lowest) return true;
    const verdict = isApart(contender, lowest);
    if (verdict !== 'unknown') return verdict === 'same';
    return contender.value <= lowest.value * (1 + noiseShare) && isOverlapping(contender, lowest, objective);
  });
  // The sort is stable: what burdens alike stays in the order of values.
  const [winner = lowest] = alike.sort((left, right) => compareBurdens(left.candidate, right.candidate));
  const others = sorted.filter((contender) => contender !== winner);
  const overlapping = others.filter((contender) => {
    const verdict = isApart(contender, winner);
    return verdict === 'unknown' ? isOverlapping(contender, winner, objective) : verdict === 'same';
  });
  return { objective, winner, lowest, others, overlapping };
}

/**
 * Finds how far the samples of what is minimised spread.
 *
 * @param contender - One contender.
 * @param objective - What is minimised.
 * @returns Milliseconds, or null when nothing is known of them; a size does not spread.
 */
export function rangeOf({ candidate }: Contender, objective: Objective): Range | null {
  const { min = null, max = null } = measureOf(candidate, objective) ?? {};
  return min === null || max === null ? null : { min, max };
}

function isOverlapping(left: Contender, right: Contender, objective: Objective): boolean {
  const [one, other] = [rangeOf(left, objective), rangeOf(right, objective)];
  return one !== null && other !== null && one.min <= other.max && other.min <= one.max;
}
