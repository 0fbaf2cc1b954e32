import type { InvocationPath } from '../lib/invocation-path.js';
import type { StartMode } from '../lib/start-mode.js';
import type { PickMeasures } from './pick-candidate.js';

/** One time that the platform itself allows at most, with where it was read and when. */
export type PlatformLimit = {
  /** Whose limit it is, to follow a figure: `the longest initialisation on demand`. */
  readonly name: string;
  readonly measure: keyof PickMeasures;
  readonly startModes: readonly StartMode[];
  readonly invokedThrough: readonly InvocationPath[];
  readonly mostMs: number;
  readonly source: string;
  /** Day on which the source was read, ISO 8601. */
  readonly asOf: string;
};

const asOf = '2026-12-01';
const everyStart = ['on-demand', 'snapstart', 'provisioned'] as const;
const lambda = ['api-gateway', 'other'] as const;
const environments = 'https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html';

/**
 * Times of Lambda and of what stands in front of it. Initialisation on demand that takes longer is begun again inside
 * the first call. Before a snapshot and ahead of all calls it may take as long as the function's timeout, 130 s at
 * least: the most that can be set is held against it. The restore counts runtime and hooks alone, and is held against
 * all of it, since no log tells them apart.
 */
export const platformLimits: readonly PlatformLimit[] = [
  {
    name: 'the longest initialisation on demand',
    measure: 'init',
    startModes: ['on-demand'],
    invokedThrough: lambda,
    mostMs: 10_000,
    source: environments,
    asOf,
  },
  {
    name: 'the longest initialisation ahead of calls',
    measure: 'init',
    startModes: ['snapstart', 'provisioned'],
    invokedThrough: lambda,
    mostMs: 900_000,
    source: environments,
    asOf,
  },
  {
    name: 'the longest restore of a snapshot',
    measure: 'ready',
    startModes: ['snapstart'],
    invokedThrough: lambda,
    mostMs: 10_000,
    source: 'https://docs.aws.amazon.com/lambda/latest/dg/snapstart-runtime-hooks-python.html',
    asOf,
  },
  {
    // The default; a REST API that is regional or private can be given more.
    name: 'the longest that API Gateway waits',
    measure: 'total',
    startModes: everyStart,
    invokedThrough: ['api-gateway'],
    mostMs: 29_000,
    source:
      'https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html',
    asOf,
  },
  {
    name: 'the longest invocation',
    measure: 'firstCall',
    startModes: everyStart,
    invokedThrough: lambda,
    mostMs: 900_000,
    source: 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html',
    asOf,
  },
];

/**
 * Finds the limits that hold for a candidate.
 *
 * @param startMode - How its processes are started.
 * @param invokedThrough - How requests reach them.
 * @returns In a fixed order.
 */
export function limitsOf(startMode: StartMode, invokedThrough: InvocationPath): readonly PlatformLimit[] {
  return platformLimits.filter(
    (limit) => limit.startModes.includes(startMode) && limit.invokedThrough.includes(invokedThrough),
  );
}
