import type { TuneReport } from '../documents/tune-result.js';
import type { FrontChartPoint } from './front-chart.js';

type Configuration = TuneReport['configurations'][number];

/**
 * Names a way of opening a variant.
 *
 * @param configuration - The way.
 * @returns Such as `own, optimisation all, no prepacking`.
 */
function nameConfiguration({ form, saved, session, modelCache, isMapped }: Configuration): string {
  if (modelCache !== 'none') return `${form}, model cache ${modelCache}`;
  if (!isMapped) return `${form}, not mapped`;
  const files = saved === null ? form : `saved${form === 'expanded' ? ' expanded' : ''}`;
  const prepacking = saved?.isPrepacked
    ? 'saved prepacking'
    : session.prepacking
      ? 'prepacking'
      : 'no prepacking';
  return `${files}, optimisation ${saved?.optimisation ?? session.optimisation}, ${prepacking}`;
}

/**
 * Lists what a chart shows of a tuning; those on the front are numbered from the readiest on.
 *
 * @param tune - The tuning of one variant.
 * @returns One point per configuration.
 */
export function listTunePoints({ configurations, front }: TuneReport): readonly FrontChartPoint[] {
  const readyOf = (index: number) => configurations[index]?.readyMs ?? Number.POSITIVE_INFINITY;
  const order = [...front].sort((left, right) => readyOf(left) - readyOf(right));
  return configurations.map((each, index) => ({
    name: nameConfiguration(each),
    readyMs: each.readyMs,
    steadyMs: each.steadyMs,
    sizeBytes: each.sizeBytes,
    place: order.includes(index) ? order.indexOf(index) + 1 : null,
  }));
}
