import { formatDifference, formatValue } from '../lib/format-value.js';
import { nameObjective, type Objective, unitOf, weighMetrics } from '../lib/objective.js';
import type { Choice } from './choose-contender.js';
import { explainPreference } from './explain-preference.js';
import { readMetric } from './judge-candidate.js';
import { nameCandidate } from './name-candidate.js';
import type { Contender } from './value-contenders.js';

/**
 * Says why the winner won, and how much its lead is worth.
 *
 * @param choice - The choice.
 * @returns One sentence without a full stop.
 */
export function explainWin(choice: Choice): string {
  const { winner, lowest, others, tied, objective } = choice;
  const name = nameObjective(objective);
  const value = formatValue(winner.value, unitOf(objective));
  const [next] = others;
  if (next === undefined) return `the only candidate left, ${name} ${value}`;
  if (winner !== lowest) {
    const more = countMore(tied.filter((contender) => contender !== lowest).length);
    return (
      `${name} ${value}, within the noise of the lowest, ${nameWithValue(lowest, objective)}${more}; ` +
      explainPreference(winner.candidate, lowest.candidate)
    );
  }
  const [closest] = tied;
  if (closest !== undefined) {
    const names = `${nameWithValue(closest, objective)}${countMore(tied.length - 1)}`;
    return `lowest ${name}, ${value}; within the noise of ${names}`;
  }
  const nextName = nameCandidate(next.candidate);
  if (next.value === winner.value)
    return `lowest ${name}, ${value}, equal to ${nextName}; ${explainPreference(winner.candidate, next.candidate)}`;
  return `lowest ${name}, ${value}; next is ${nextName} at ${formatValue(next.value, unitOf(objective))}`;
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
  const distance = `${describeDistance(loser, winner, objective)}${describeParts(loser, winner, objective)}`;
  const preference = () => explainPreference(winner.candidate, loser.candidate);
  if (loser.value === winner.value) return `${distance}; ${preference()}`;
  if (choice.unsettled.includes(loser)) return `${distance}, not told apart by the samples`;
  if (choice.unseen.includes(loser)) return `${distance}, by times that were not measured here`;
  if (!choice.tied.includes(loser)) return distance;
  return `${distance}, within the noise${loser.value < winner.value ? `; ${preference()}` : ''}`;
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

function nameWithValue(contender: Contender, objective: Objective): string {
  return `${nameCandidate(contender.candidate)} (${formatValue(contender.value, unitOf(objective))})`;
}

function countMore(count: number): string {
  return count > 0 ? ` and ${count} more` : '';
}

function describeDistance(loser: Contender, winner: Contender, objective: Objective): string {
  const name = nameObjective(objective);
  const unit = unitOf(objective);
  if (loser.value === winner.value) return `equal ${name}`;
  const ratio = ratioOf(loser, winner);
  if (ratio === null) return `${formatValue(loser.value, unit)} against ${formatValue(winner.value, unit)}`;
  if (ratio >= 1.005) return `${ratio.toFixed(2)} × the winner's ${name}`;
  const difference = formatDifference(Math.abs(loser.value - winner.value), unit);
  return `${difference} ${ratio < 1 ? 'less' : 'more'} than the winner's ${name}`;
}

/** What a score is made of, since the score itself tells nobody what to change. */
function describeParts(loser: Contender, winner: Contender, objective: Objective): string {
  if (typeof objective === 'string') return '';
  const parts = weighMetrics(objective).flatMap(({ metric }) => {
    const [own, best] = [readMetric(loser.candidate, metric), readMetric(winner.candidate, metric)];
    return own === null || best === null ? [] : [`${metric} ${(own / best).toFixed(2)} ×`];
  });
  return ` (${parts.join(', ')})`;
}
