import { nameObjective } from '../lib/objective.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { Judged } from './judge-candidate.js';
import { nameCandidate } from './name-candidate.js';
import type { PickOptions, UnmadeVariant } from './pick-rules.js';

/**
 * Says why nothing can be picked: each reason once, with those that it holds for.
 *
 * @param options - What was asked.
 * @param judged - All candidates.
 * @param leftOut - What could not be made, and why.
 * @returns One error.
 */
export function reportNone(
  { objective }: Pick<PickOptions, 'objective'>,
  judged: readonly Judged[],
  leftOut: readonly UnmadeVariant[],
): Finding {
  const losses = [
    ...judged.map(({ candidate, standing }) => ({
      name: nameCandidate(candidate),
      reason: 'reason' in standing ? standing.reason : '',
    })),
    ...leftOut.map(({ variantId, reason }) => ({ name: variantId, reason })),
  ];
  const reasons = [...new Set(losses.map(({ reason }) => reason))].map((reason) => ({
    reason,
    names: losses.filter((loss) => loss.reason === reason).map(({ name }) => name),
  }));
  const kinds = judged.map(({ standing }) => standing.kind);
  return makeFinding('error', 'pick-no-candidate', {
    objective: nameObjective(objective),
    considered: losses.length,
    reasons,
    isRefused: kinds.includes('refused') || kinds.includes('bound'),
    isIncomparable: kinds.includes('not comparable'),
  });
}
