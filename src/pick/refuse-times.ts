import { formatMs } from '../lib/format-quantity.js';
import type { InvocationPath } from '../lib/invocation-path.js';
import type { PickCandidate, PickMeasure } from './pick-candidate.js';
import type { PickLimits } from './pick-rules.js';
import { limitsOf, type PlatformLimit } from './platform-limits.js';
import { type Tail, tailOf } from './tail-of.js';

const asked = { total: 'totalP95Ms', ready: 'readyP95Ms', steady: 'steadyP95Ms' } as const;
const askedNames = ['total', 'ready', 'steady'] as const;
type AskedName = (typeof askedNames)[number];

/**
 * Says which times are over what was asked for, and which cannot be judged: a limit that was asked for is not passed by
 * what was not measured.
 *
 * @param candidate - One candidate.
 * @param limits - What was asked for.
 * @returns One clause each.
 */
export function refuseAskedTimes(candidate: PickCandidate, limits: PickLimits): readonly string[] {
  return listAskedTails(candidate, limits).flatMap(({ name, mostMs, tail }) => {
    if (tail !== null) return describeExcess(name, tail, mostMs, 'the limit');
    const excess = describeMedian(name, candidate.measures[name], mostMs, 'the limit');
    if (excess.length > 0) return excess;
    return [
      `${name} cannot be judged against the limit of ${formatMs(mostMs)}: ${explainGap(candidate, name)}`,
    ];
  });
}

/**
 * Lists the limits on times that were asked for with what is held against each.
 *
 * @param candidate - One candidate.
 * @param limits - What was asked for.
 * @returns Tails; null where nothing is known of one.
 */
export function listAskedTails(
  candidate: PickCandidate,
  limits: PickLimits,
): readonly { readonly name: AskedName; readonly mostMs: number; readonly tail: Tail | null }[] {
  return askedNames.flatMap((name) => {
    const mostMs = limits[asked[name]];
    return mostMs === null ? [] : [{ name, mostMs, tail: tailOf(candidate, name) }];
  });
}

function explainGap(candidate: PickCandidate, name: AskedName): string {
  const { measures, notComparable, startMode, delivery } = candidate;
  const measure = measures[name];
  // What was measured may be shown and still be no whole.
  if (measure === null)
    return notComparable.find(({ objective }) => objective === name)?.reason ?? 'no measurement';
  const gap = 'nothing tells its 95th percentile';
  if (measure.unseenMs === 0) return gap;
  const setting =
    startMode === 'snapstart'
      ? 'pick.startModes.snapstart.restoreP95Ms'
      : `bench.environment.${delivery}.p95Ms`;
  return `${gap} (\`${setting}\` is not stated)`;
}

/**
 * Says which times are over what the platform itself allows. What was not measured is not refused, see
 * {@link listUnjudged}.
 *
 * @param candidate - One candidate.
 * @param invokedThrough - How requests reach it.
 * @returns One clause each.
 */
export function refusePlatformTimes(
  candidate: PickCandidate,
  invokedThrough: InvocationPath,
): readonly string[] {
  return limitsOf(candidate.startMode, invokedThrough).flatMap(({ measure, mostMs, name }) => {
    const tail = tailOf(candidate, measure);
    return tail === null
      ? describeMedian(spoken[measure], candidate.measures[measure], mostMs, name)
      : describeExcess(spoken[measure], tail, mostMs, name);
  });
}

/**
 * Lists the platform's limits that nothing measured can be held against.
 *
 * @param candidate - One candidate.
 * @param invokedThrough - How requests reach it.
 * @returns In the order of the limits.
 */
export function listUnjudged(
  candidate: PickCandidate,
  invokedThrough: InvocationPath,
): readonly PlatformLimit[] {
  return limitsOf(candidate.startMode, invokedThrough).filter(
    ({ measure }) => tailOf(candidate, measure) === null,
  );
}

/** What the figures that only the platform looks at are called. */
const spoken = {
  total: 'total',
  ready: 'ready',
  steady: 'steady',
  costPer100k: 'costPer100k',
  init: 'initialisation',
  firstCall: 'the first call',
} as const;

function describeExcess(name: string, tail: Tail, mostMs: number, whose: string): readonly string[] {
  const { highestOf, isSummed } = tail;
  const what =
    highestOf === null ? 'p95' : `the highest of ${highestOf === 1 ? '1 run' : `${highestOf} runs`}`;
  return refuseAbove(name, tail.valueMs, isSummed ? `${what} of each part, added up` : what, mostMs, whose);
}

/** What is over by its median is over by its tail, which nothing tells. */
function describeMedian(
  name: string,
  measure: PickMeasure | null,
  mostMs: number,
  whose: string,
): readonly string[] {
  // What is no finite number is no measurement.
  if (measure === null || !Number.isFinite(measure.value)) return [];
  return refuseAbove(name, measure.value, 'median', mostMs, whose);
}

function refuseAbove(
  name: string,
  valueMs: number,
  what: string,
  mostMs: number,
  whose: string,
): readonly string[] {
  if (!(valueMs > mostMs)) return [];
  const most = formatMs(mostMs);
  const rounded = formatMs(valueMs);
  // What is over by less than a digit would read as equal.
  const value = rounded === most ? `${valueMs} ms` : rounded;
  return [`${name} ${value} (${what}) is over ${most}, ${whose}`];
}
