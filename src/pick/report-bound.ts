import { nameObjective, unitOf } from '../lib/objective.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import { type Choice, chooseContender } from './choose-contender.js';
import type { Judged } from './judge-candidate.js';
import { nameCandidate } from './name-candidate.js';
import type { PickRules, TellsApart } from './pick-rules.js';

/**
 * Says what is lost by leaving out what is bound to a runtime or a processor, where one of those would have won.
 *
 * @param judged - All candidates.
 * @param choice - Among what is not bound; null when nothing is left.
 * @param rules - What it was made by.
 * @param tellsApart - Whether measuring tells two of them apart.
 * @returns One finding, or none.
 */
export function reportBound(
  judged: readonly Judged[],
  choice: Choice | null,
  rules: PickRules,
  tellsApart: TellsApart,
): readonly Finding[] {
  const able = judged.filter(({ standing }) => standing.kind === 'competes' || standing.kind === 'bound');
  const wider = chooseContender(
    able.map(({ candidate }) => candidate),
    rules.objective,
    tellsApart,
  );
  const binding = wider?.winner.candidate.binding ?? null;
  if (wider === null || binding === null || rules.require.bound === 'any') return [];
  // A score depends on who is compared, so both are taken from the wider choice.
  const against = wider.others.find(({ candidate }) => candidate === choice?.winner.candidate);
  const facts = {
    bound: nameCandidate(wider.winner.candidate),
    binding,
    objective: nameObjective(rules.objective),
    unit: unitOf(rules.objective),
    value: wider.winner.value,
    winner: against === undefined ? null : nameCandidate(against.candidate),
    winnerValue: against?.value ?? null,
  };
  return [makeFinding('info', 'pick-bound-left-out', facts)];
}
