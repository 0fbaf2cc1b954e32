import { formatBytes, formatExactBytes, formatMs } from '../lib/format-quantity.js';
import type { Contender } from './compare-candidates.js';
import type { Objective } from './pick-candidate.js';

/**
 * Says why the best contender won, with the distance to the next one.
 *
 * @param winner - The best contender.
 * @param runnerUp - The second best, if there is one.
 * @param objective - What was minimised.
 * @returns One sentence without a full stop.
 */
export function explainWin(winner: Contender, runnerUp: Contender | undefined, objective: Objective): string {
  const value = writeValue(winner.value, objective);
  if (runnerUp === undefined) return `the only candidate left, ${objective} ${value}`;
  const { variantId, delivery } = runnerUp.candidate;
  const next = `${variantId} by ${delivery}`;
  if (runnerUp.value === winner.value) {
    return `lowest ${objective}, ${value}, equal to ${next}; ${explainTie(winner, runnerUp)}`;
  }
  return `lowest ${objective}, ${value}; next is ${next} at ${writeValue(runnerUp.value, objective)}`;
}

/**
 * Says why a contender lost.
 *
 * @param loser - A contender that did not win.
 * @param winner - The one that did.
 * @param objective - What was minimised.
 * @returns Such as `1.42 × the winner's total`.
 */
export function explainLoss(loser: Contender, winner: Contender, objective: Objective): string {
  if (loser.value === winner.value) return `equal ${objective}; ${explainTie(winner, loser)}`;
  const ratio = ratioOf(loser, winner);
  if (ratio === null)
    return `${writeValue(loser.value, objective)} against ${writeValue(winner.value, objective)}`;
  if (ratio >= 1.005) return `${ratio.toFixed(2)} × the winner's ${objective}`;
  return `${writeDifference(loser.value - winner.value, objective)} more than the winner's ${objective}`;
}

/**
 * Relates a loser's value to the winner's.
 *
 * @param loser - A contender that did not win.
 * @param winner - The one that did.
 * @returns Loser ÷ winner, ≥ 1; null when the winner's value is 0.
 */
export function ratioOf(loser: Contender, winner: Contender): number | null {
  return winner.value > 0 ? loser.value / winner.value : null;
}

function explainTie({ candidate: winner }: Contender, { candidate: loser }: Contender): string {
  const differenceBytes = loser.sizeBytes - winner.sizeBytes;
  if (differenceBytes > 0) return `the winner is ${formatExactBytes(differenceBytes)} B smaller`;
  return winner.delivery === loser.delivery
    ? 'of the same size, so the first by name wins'
    : `of the same size, so ${winner.delivery} comes before ${loser.delivery}`;
}

function writeValue(value: number, objective: Objective): string {
  return objective === 'size' ? formatBytes(value) : formatMs(value);
}

function writeDifference(difference: number, objective: Objective): string {
  return objective === 'size'
    ? `${formatExactBytes(difference)} B`
    : `${Number(difference.toPrecision(2))} ms`;
}
