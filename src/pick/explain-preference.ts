import { formatExactBytes } from '../lib/format-quantity.js';
import { compareSimplicity, isOfSameSize } from './compare-candidates.js';
import type { PickCandidate } from './pick-candidate.js';

/**
 * Says why one of two that measuring does not tell apart is preferred, by the order of `chooseLightest`.
 *
 * @param winner - The one that ships.
 * @param loser - The one that does not.
 * @returns One clause.
 */
export function explainPreference(winner: PickCandidate, loser: PickCandidate): string {
  if (winner.binding === null && loser.binding !== null) return 'the winner is bound to nothing';
  const differenceBytes = loser.deployedBytes - winner.deployedBytes;
  // One that is hardly smaller than this one may still be so much smaller than the smallest that it does not count.
  const isSame = isOfSameSize(winner, loser) && compareSimplicity(winner, loser) <= 0;
  if (differenceBytes > 0 && !isSame)
    return `the winner is ${formatExactBytes(differenceBytes)} B smaller to deploy`;
  const size = differenceBytes === 0 ? 'of the same size' : 'of the same size within 1 %';
  for (const kind of ['engine', 'layout'] as const)
    if (winner[kind] !== loser[kind]) return `${size}, so the simpler ${kind}, ${winner[kind]}, wins`;
  for (const kind of ['delivery', 'startMode'] as const)
    if (winner[kind] !== loser[kind]) return `${size}, so ${winner[kind]} comes before ${loser[kind]}`;
  if (winner.memoryMiB !== loser.memoryMiB) return `${size}, so the smaller memory wins`;
  return `${size}, so the ${winner.variantId < loser.variantId ? 'first by name' : 'lower'} wins`;
}
