import { type Metric, type Objective, weighMetrics } from '../lib/objective.js';
import { listRefusals, refuseBinding } from './list-refusals.js';
import type { PickCandidate } from './pick-candidate.js';
import type { PickRules } from './pick-rules.js';

/** Where a candidate stands before values are compared. */
export type Standing =
  | { readonly kind: 'competes' }
  /** `bound`: nothing else speaks against it than what it is bound to. */
  | { readonly kind: 'refused' | 'bound'; readonly reason: string }
  | { readonly kind: 'not comparable'; readonly reason: string };

/** A candidate with where it stands. */
export type Judged = { readonly candidate: PickCandidate; readonly standing: Standing };

/**
 * Decides whether a candidate may compete; everything that speaks against it is said, not only the first thing.
 *
 * @param candidate - One candidate.
 * @param rules - What is minimised and what must hold.
 * @returns Where it stands.
 */
export function judgeCandidate(candidate: PickCandidate, rules: PickRules): Standing {
  const refusals = listRefusals(candidate, rules);
  const bindings = refuseBinding(candidate, rules.require.bound);
  const reason = [...refusals, ...bindings].join('; ');
  if (refusals.length > 0) return { kind: 'refused', reason };
  const counted = weighMetrics(rules.objective).map(({ metric }) => metric);
  const gaps = candidate.notComparable.filter((gap) => counted.includes(gap.objective));
  if (gaps.length > 0) return { kind: 'not comparable', reason: joinOnce(gaps.map((gap) => gap.reason)) };
  const unknown = counted.flatMap((metric) => explainUnknown(candidate, metric, rules.objective));
  if (unknown.length > 0) return { kind: 'refused', reason: [...unknown, ...bindings].join('; ') };
  return bindings.length > 0 ? { kind: 'bound', reason } : { kind: 'competes' };
}

/**
 * Reads one metric of a candidate.
 *
 * @param candidate - One candidate.
 * @param metric - What is minimised.
 * @returns Milliseconds, bytes or USD; null when there is none.
 */
export function readMetric(candidate: PickCandidate, metric: Metric): number | null {
  const value = metric === 'size' ? candidate.sizeBytes : candidate.measures[metric]?.value;
  return value === undefined || !Number.isFinite(value) ? null : value;
}

function explainUnknown(candidate: PickCandidate, metric: Metric, objective: Objective): readonly string[] {
  const value = readMetric(candidate, metric);
  if (value === null) return [`no measurement of ${metric}`];
  // Nothing is so many times nothing.
  return typeof objective === 'string' || value > 0 ? [] : [`${metric} of ${value} cannot be weighed`];
}

function joinOnce(reasons: readonly string[]): string {
  return [...new Set(reasons)].join('; ');
}
