import { type Metric, type Objective, weighMetrics } from '../lib/objective.js';
import type { PickCandidate, PickMeasure } from './pick-candidate.js';
import type { PickRequirements } from './pick-rules.js';

/** Where a candidate stands before values are compared. */
export type Standing =
  | { readonly kind: 'competes'; readonly value: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'not comparable'; readonly reason: string };

/**
 * Finds the figure that an objective minimises.
 *
 * @param candidate - One candidate.
 * @param objective - What is minimised.
 * @returns The figure; null when there is none, and for a size, which does not spread.
 */
export function measureOf(candidate: PickCandidate, objective: Objective): PickMeasure | null {
  const metric = metricOf(objective);
  return metric === 'size' ? null : candidate.measures[metric];
}

function metricOf(objective: Objective): Metric {
  return weighMetrics(objective)[0]?.metric ?? 'total';
}

/**
 * Decides whether a candidate may compete; everything that speaks against it is said, not only the first thing.
 *
 * @param candidate - One variant by one delivery.
 * @param objective - What is minimised.
 * @param require - What must hold.
 * @returns Its value in milliseconds or bytes, or why it has none.
 */
export function judgeCandidate(
  candidate: PickCandidate,
  objective: Objective,
  require: PickRequirements,
): Standing {
  const reasons = listRefusals(candidate, require);
  if (reasons.length > 0) return { kind: 'refused', reason: reasons.join('; ') };
  const gaps = candidate.notComparable.filter((gap) => gap.objective === metricOf(objective));
  if (gaps.length > 0) return { kind: 'not comparable', reason: gaps.map((gap) => gap.reason).join('; ') };
  const metric = metricOf(objective);
  const value = metric === 'size' ? candidate.sizeBytes : (candidate.measures[metric]?.value ?? null);
  if (value === null || !Number.isFinite(value))
    return { kind: 'refused', reason: `no measurement of ${metric}` };
  return { kind: 'competes', value };
}

function listRefusals(candidate: PickCandidate, require: PickRequirements): readonly string[] {
  const { parity, budget, failures } = candidate;
  return [
    ...(require.parity === 'pass' ? refuseParity(parity) : []),
    ...(require.budgets === 'pass' ? refuseBudget(budget) : []),
    ...(failures > 0 ? [failures === 1 ? '1 sample failed' : `${failures} samples failed`] : []),
  ];
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
  // The reason of a failed row starts with these words itself.
  return budget.verdict === 'pass' ? [] : [`does not fit: ${budget.reason.replace(/^does not fit: /, '')}`];
}
