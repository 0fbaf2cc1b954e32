import type { Objective } from '../lib/objective.js';
import { type Closely, judgeCloseness } from './closeness.js';
import { chooseLightest, compareContenders } from './compare-candidates.js';
import type { PickCandidate } from './pick-candidate.js';
import type { TellsApart } from './pick-rules.js';
import { type Contender, valueContenders } from './value-contenders.js';

/** Who won, and against what the lead has to be read. */
export type Choice = {
  readonly objective: Objective;
  readonly winner: Contender;
  /** The lowest on the objective; another one than the winner only within the noise. */
  readonly lowest: Contender;
  /** All but the winner, lowest first. */
  readonly others: readonly Contender[];
  /** Those of `others` that are within the noise of the winner. */
  readonly tied: readonly Contender[];
  /** Those that samples do not tell from the winner, and that are too far from it to be taken for equal. */
  readonly unsettled: readonly Contender[];
  /** Those as far from it that are told from it by times alone that no sample here holds. */
  readonly unseen: readonly Contender[];
};

/**
 * Chooses the lowest; but of those that measuring does not tell from it, the one that burdens a release least. Each is
 * held against the lowest alone: a chain of neighbours, each within the noise of the next, leads nowhere.
 *
 * @param candidates - All that may win, in any order.
 * @param objective - What is minimised.
 * @param tellsApart - Whether measuring tells two of them apart.
 * @returns The choice, or null when there is nothing to choose from.
 */
export function chooseContender(
  candidates: readonly PickCandidate[],
  objective: Objective,
  tellsApart: TellsApart,
): Choice | null {
  const sorted = valueContenders(candidates, objective).toSorted(compareContenders);
  const [lowest] = sorted;
  if (lowest === undefined) return null;
  const closely = judgeCloseness(sorted, tellsApart);
  const alike = sorted.filter(
    (contender) => contender.value === lowest.value || closely(contender, lowest) === 'tied',
  );
  const winner = chooseLightest(alike) ?? lowest;
  const others = sorted.filter((contender) => contender !== winner);
  const standing = (how: ReturnType<Closely>) =>
    others.filter((contender) => closely(contender, winner) === how);
  const [tied, unsettled, unseen] = [standing('tied'), standing('unsettled'), standing('unseen')];
  // Of equal ones each is the lowest.
  const first = winner.value === lowest.value ? winner : lowest;
  return { objective, winner, lowest: first, others, tied, unsettled, unseen };
}
