import { formatExactBytes } from '../lib/format-quantity.js';
import { formatUsd } from '../lib/format-value.js';
import type { PickCandidate } from './pick-candidate.js';
import type { PickLimits, PickRules } from './pick-rules.js';
import { refuseAskedTimes, refusePlatformTimes } from './refuse-times.js';

/**
 * Lists everything that keeps a candidate from winning, whatever it is bound to.
 *
 * @param candidate - One candidate.
 * @param rules - What must hold.
 * @returns One clause each, in a fixed order.
 */
export function listRefusals(candidate: PickCandidate, rules: PickRules): readonly string[] {
  const { parity, budget, failures, unfit } = candidate;
  return [
    ...(rules.require.parity === 'pass' ? refuseParity(parity) : []),
    ...(rules.require.budgets === 'pass' ? refuseBudget(budget) : []),
    ...(failures > 0 ? [failures === 1 ? '1 sample failed' : `${failures} samples failed`] : []),
    ...unfit,
    ...refusePlatformTimes(candidate, rules.invokedThrough),
    ...refuseAskedTimes(candidate, rules.limits),
    ...refuseCost(candidate, rules.limits),
    ...refuseSize(candidate, rules.limits),
  ];
}

/**
 * Says what a candidate is bound to, where that keeps it from winning.
 *
 * @param candidate - One candidate.
 * @param bound - Whether what is bound may win.
 * @returns One clause, or nothing.
 */
export function refuseBinding(
  { binding }: PickCandidate,
  bound: PickRules['require']['bound'],
): readonly string[] {
  if (binding === null || bound === 'any') return [];
  return [`not portable: ${binding} (\`pick.require.bound: any\` lets it win)`];
}

/**
 * Says why parity does not stand behind a candidate.
 *
 * @param parity - What validate said; null when it was not asked.
 * @returns One clause, or nothing when parity passed.
 */
export function refuseParity(parity: PickCandidate['parity']): readonly string[] {
  if (parity === null) return ['parity was not judged'];
  if (parity.verdict === 'pass') return [];
  const how = parity.verdict === 'fail' ? 'failed' : `is ${parity.verdict}`;
  // Clauses are joined; the reason may be a sentence.
  return [`parity ${how}: ${parity.reason.replace(/\.$/, '')}`];
}

/**
 * Says why a candidate may not fit.
 *
 * @param budget - What check said; null when it was not asked.
 * @returns One clause, or nothing when it fits.
 */
export function refuseBudget(budget: PickCandidate['budget']): readonly string[] {
  if (budget === null) return ['no budget was checked'];
  if (budget.verdict === 'unknown') return [`the budget ${budget.reason}`];
  // The reason of a failed row starts with these words itself.
  return budget.verdict === 'pass' ? [] : [`does not fit: ${budget.reason.replace(/^does not fit: /, '')}`];
}

function refuseCost({ measures }: PickCandidate, { costPer100kUsd: most }: PickLimits): readonly string[] {
  if (most === null) return [];
  const value = measures.costPer100k?.value ?? Number.NaN;
  if (Number.isNaN(value))
    return [`costPer100k cannot be judged against the limit of ${formatUsd(most)}: it is not known`];
  return value > most ? [`costPer100k ${formatUsd(value)} is over ${formatUsd(most)}, the limit`] : [];
}

function refuseSize({ sizeBytes }: PickCandidate, { sizeBytes: most }: PickLimits): readonly string[] {
  if (most === null || sizeBytes <= most) return [];
  return [`size ${formatExactBytes(sizeBytes)} B is over ${formatExactBytes(most)} B, the limit`];
}
