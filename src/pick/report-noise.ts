import { nameObjective, unitOf } from '../lib/objective.js';
import { makeFinding } from '../messages/finding.js';
import type { Choice } from './choose-contender.js';
import type { Caveat } from './list-caveats.js';
import { nameCandidate } from './name-candidate.js';
import type { Contender } from './value-contenders.js';

/**
 * Says of whom the winner is not told apart, and why: within the noise, by too few samples, or by times alone that no
 * sample here holds.
 *
 * @param choice - The choice.
 * @returns One caveat per way; the reason of a win names those within the noise itself.
 */
export function reportNoise(choice: Choice): readonly Caveat[] {
  const { tied, unsettled, unseen } = choice;
  const rows = (others: readonly Contender[]) => ({
    objective: nameObjective(choice.objective),
    unit: unitOf(choice.objective),
    winner: describeRow(choice.winner),
    overlapping: others.map(describeRow),
  });
  return [
    ...(tied.length === 0
      ? []
      : [{ clause: null, finding: makeFinding('info', 'pick-within-noise', rows(tied)) }]),
    ...(unsettled.length === 0
      ? []
      : [
          {
            clause: `the samples do not tell it from ${nameFirst(unsettled)}`,
            finding: makeFinding('info', 'pick-lead-not-established', rows(unsettled)),
          },
        ]),
    ...(unseen.length === 0
      ? []
      : [
          {
            clause: `only times that were not measured here tell it from ${nameFirst(unseen)}`,
            finding: makeFinding('info', 'pick-lead-unseen', rows(unseen)),
          },
        ]),
  ];
}

function describeRow({ candidate, value, range }: Contender) {
  return { name: nameCandidate(candidate), value, min: range?.min ?? null, max: range?.max ?? null };
}

function nameFirst([first, ...rest]: readonly Contender[]): string {
  const name = first === undefined ? '' : nameCandidate(first.candidate);
  return rest.length === 0 ? name : `${name} and ${rest.length} more`;
}
