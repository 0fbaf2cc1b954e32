/** What can be minimised, in the design's words; `size` is the artifact, `costPer100k` what 100,000 inferences cost. */
export const metrics = ['total', 'ready', 'steady', 'size', 'costPer100k'] as const;
/** One of {@link metrics}. */
export type Metric = (typeof metrics)[number];

/** How much each metric counts against the others, > 0; only their ratios matter. */
export type Weights = { readonly [Name in Metric]?: number };

/** What is minimised: one metric, or several at once. */
export type Objective = Metric | { readonly weights: Weights };

/** What a value of each metric is counted in. */
const units = { total: 'ms', ready: 'ms', steady: 'ms', size: 'bytes', costPer100k: 'usd' } as const;

/** Unit of a value; a `score` has none: 1 is as good as the best contender in everything. */
export type ObjectiveUnit = (typeof units)[Metric] | 'score';

/**
 * Lists what an objective reads, in the order of {@link metrics} however it was written.
 *
 * @param objective - What is minimised.
 * @returns Each metric with its weight; those that do not count are left out.
 */
export function weighMetrics(
  objective: Objective,
): readonly { readonly metric: Metric; readonly weight: number }[] {
  if (typeof objective === 'string') return [{ metric: objective, weight: 1 }];
  return metrics.flatMap((metric) => {
    const weight = objective.weights[metric] ?? 0;
    return weight > 0 ? [{ metric, weight }] : [];
  });
}

/**
 * Names an objective as sentences do.
 *
 * @param objective - What is minimised.
 * @returns The metric, or `score`.
 */
export function nameObjective(objective: Objective): string {
  return typeof objective === 'string' ? objective : 'score';
}

/**
 * Says what the values of an objective are counted in.
 *
 * @param objective - What is minimised.
 * @returns The unit.
 */
export function unitOf(objective: Objective): ObjectiveUnit {
  return typeof objective === 'string' ? units[objective] : 'score';
}
