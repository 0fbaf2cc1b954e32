import { formatBytes, formatExactBytes, formatMs } from '../lib/format-quantity.js';
import { nameObjective, type Objective } from '../lib/objective.js';
import type { Choice } from './choose-contender.js';
import type { Contender } from './compare-candidates.js';

/**
 * Says why the winner won, and how much its lead is worth.
 *
 * @param choice - The choice.
 * @returns One sentence without a full stop.
 */
export function explainWin(choice: Choice): string {
  const { winner, lowest, others, overlapping, objective } = choice;
  const value = writeValue(winner.value, objective);
  const [next] = others;
  if (next === undefined) return `the only candidate left, ${nameObjective(objective)} ${value}`;
  if (winner !== lowest) {
    const more = countMore(overlapping.length - 1);
    return (
      `${nameObjective(objective)} ${value}, within the noise of the lowest, ${nameWithValue(lowest, objective)}${more}; ` +
      explainPreference(winner, lowest)
    );
  }
  const [closest] = overlapping;
  if (closest !== undefined) {
    const names = `${nameWithValue(closest, objective)}${countMore(overlapping.length - 1)}`;
    return `lowest ${nameObjective(objective)}, ${value}; within the noise of ${names}`;
  }
  if (next.value === winner.value) {
    return `lowest ${nameObjective(objective)}, ${value}, equal to ${nameContender(next)}; ${explainPreference(winner, next)}`;
  }
  return `lowest ${nameObjective(objective)}, ${value}; next is ${nameContender(next)} at ${writeValue(next.value, objective)}`;
}

/**
 * Says why a contender lost.
 *
 * @param loser - One of the others.
 * @param choice - The choice.
 * @returns Such as `1.42 × the winner's total`.
 */
export function explainLoss(loser: Contender, choice: Choice): string {
  const { winner, objective } = choice;
  const distance = describeDistance(loser, winner, objective);
  if (loser.value === winner.value) return `${distance}; ${explainPreference(winner, loser)}`;
  if (!choice.overlapping.includes(loser)) return distance;
  const isLower = loser.value < winner.value;
  return `${distance}, within the noise${isLower ? `; ${explainPreference(winner, loser)}` : ''}`;
}

/**
 * Relates a loser's value to the winner's.
 *
 * @param loser - A contender that did not win.
 * @param winner - The one that did.
 * @returns Loser ÷ winner; null when the winner's value is 0.
 */
export function ratioOf(loser: Contender, winner: Contender): number | null {
  return winner.value > 0 ? loser.value / winner.value : null;
}

/**
 * Names a contender as sentences do.
 *
 * @param contender - One contender.
 * @returns Such as `fp16-weights.single by lazy`.
 */
export function nameContender({ candidate }: Contender): string {
  return `${candidate.variantId} by ${candidate.delivery}`;
}

function nameWithValue(contender: Contender, objective: Objective): string {
  return `${nameContender(contender)} (${writeValue(contender.value, objective)})`;
}

function countMore(count: number): string {
  return count > 0 ? ` and ${count} more` : '';
}

function describeDistance(loser: Contender, winner: Contender, objective: Objective): string {
  if (loser.value === winner.value) return `equal ${nameObjective(objective)}`;
  const ratio = ratioOf(loser, winner);
  if (ratio === null)
    return `${writeValue(loser.value, objective)} against ${writeValue(winner.value, objective)}`;
  if (ratio >= 1.005) return `${ratio.toFixed(2)} × the winner's ${nameObjective(objective)}`;
  const difference = writeDifference(Math.abs(loser.value - winner.value), objective);
  return `${difference} ${ratio < 1 ? 'less' : 'more'} than the winner's ${nameObjective(objective)}`;
}

function explainPreference({ candidate: winner }: Contender, { candidate: loser }: Contender): string {
  const differenceBytes = loser.deployedBytes - winner.deployedBytes;
  if (differenceBytes > 0) return `the winner is ${formatExactBytes(differenceBytes)} B smaller`;
  if (winner.layout !== loser.layout)
    return `of the same size, so the simpler layout, ${winner.layout}, wins`;
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
