import { formatExactBytes } from '../lib/format-quantity.js';
import type { PickCandidate } from './pick-candidate.js';

/**
 * Says why one of two that measuring does not tell apart is preferred, by the order of `compareBurdens`.
 *
 * @param winner - The one that ships.
 * @param loser - The one that does not.
 * @returns One clause.
 */
export function explainPreference(winner: PickCandidate, loser: PickCandidate): string {
  if (winner.binding === null && loser.binding !== null) return 'the winner is bound to nothing';
  const differenceBytes = loser.deployedBytes - winner.deployedBytes;
  if (differenceBytes > 0) return `the winner is ${formatExactBytes(differenceBytes)} B smaller to deploy`;
  for (const kind of ['engine', 'layout'] as const)
    if (winner[kind] !== loser[kind])
      return `of the same size, so the simpler ${kind}, ${winner[kind]}, wins`;
  for (const kind of ['delivery', 'startMode'] as const)
    if (winner[kind] !== loser[kind])
      return `of the same size, so ${winner[kind]} comes before ${loser[kind]}`;
  if (winner.memoryMiB !== loser.memoryMiB) return 'of the same size, so the smaller memory wins';
  return 'of the same size, so the first by name wins';
}
