import { formatMs } from '../lib/format-quantity.js';
import type { InvocationPath } from '../lib/invocation-path.js';
import type { PickCandidate } from './pick-candidate.js';
import type { PickLimits } from './pick-rules.js';
import { limitsOf, type PlatformLimit } from './platform-limits.js';
import { type Tail, tailOf } from './tail-of.js';

const asked = { total: 'totalP95Ms', ready: 'readyP95Ms', steady: 'steadyP95Ms' } as const;
const askedNames = ['total', 'ready', 'steady'] as const;

/**
 * Says which times are over what was asked for, and which cannot be judged: a limit that was asked for is not passed by
 * what was not measured.
 *
 * @param candidate - One candidate.
 * @param limits - What was asked for.
 * @returns One clause each.
 */
export function refuseAskedTimes(candidate: PickCandidate, limits: PickLimits): readonly string[] {
  return askedNames.flatMap((name) => {
    const mostMs = limits[asked[name]];
    if (mostMs === null) return [];
    const tail = tailOf(candidate, name);
    if (tail !== null) return describeExcess(name, tail, mostMs, 'the limit');
    const gap = candidate.measures[name] === null ? 'no measurement' : 'nothing tells its 95th percentile';
    return [`${name} cannot be judged against the limit of ${formatMs(mostMs)}: ${gap}`];
  });
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
    return tail === null ? [] : describeExcess(spoken[measure], tail, mostMs, name);
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
  const { valueMs, highestOf } = tail;
  if (valueMs <= mostMs) return [];
  const most = formatMs(mostMs);
  const rounded = formatMs(valueMs);
  // What is over by less than a digit would read as equal.
  const value = rounded === most ? `${valueMs} ms` : rounded;
  const rests =
    highestOf === null ? 'p95' : `the highest of ${highestOf === 1 ? '1 run' : `${highestOf} runs`}`;
  return [`${name} ${value} (${rests}) is over ${most}, ${whose}`];
}
