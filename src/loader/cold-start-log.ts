import type { Delivery } from '../lib/delivery.js';
import { printJson } from '../lib/json.js';
import { type PhaseSums, sumPhases } from '../lib/phases.js';
import type { SessionOptions } from '../lib/session-options.js';
import type { InferencePrecision } from '../lib/variant.js';
import { OptimiseModelError } from '../messages/error.js';
import { completePhases, type MeasuredPhases } from './phase-clock.js';

/**
 * One cold start as one log line: what was opened, how, and where the time went.
 *
 * `bench import` reads these lines out of CloudWatch, of whichever version of the loader wrote them: fields are added,
 * never renamed or given another meaning while `schemaVersion` is 1, and what a line does not have is not known.
 */
export type ColdStartLog = {
  readonly kind: 'optimise-model.cold-start';
  readonly schemaVersion: 1;
  readonly status: 'ready' | 'failed';
  /** What was opened, without password and query. */
  readonly source: string;
  readonly release: string | null;
  readonly digest: string | null;
  readonly variantId: string | null;
  readonly delivery: Delivery | null;
  /** Read back from the engine, which may have fewer than were asked for. */
  readonly threads: number | null;
  /** What decided how many were asked for: `option`, `release`, or a limit such as `Lambda memory 3008 MB`; null before a session is opened. */
  readonly threadsOrigin: string | null;
  /** What of the CPU quota could not be read. */
  readonly threadsWarning: string | null;
  /** How the session was opened; null when it was not, and for OpenVINO, which has no such options. */
  readonly session: SessionOptions | null;
  /** What FP32 operations are computed in, read back from the engine; null before a session is opened. */
  readonly inference: InferencePrecision | null;
  /** Whether the engine took what an earlier session had left in `modelCacheDir`; null before a session is opened. */
  readonly fromCache: boolean | null;
  readonly engine: string | null;
  readonly engineVersion: string | null;
  /** What was to be brought: the files as they are staged. */
  readonly sizeBytes: number | null;
  /** What they took when they were expanded on the way; null for all deliveries but `stream`. */
  readonly expandedSizeBytes: number | null;
  /** Whether verified files that an earlier process had left were taken, and nothing was downloaded; null when nothing was brought. */
  readonly reused: boolean | null;
  readonly phases: MeasuredPhases;
  /** Null as long as a phase is missing. */
  readonly sums: PhaseSums | null;
  /** Whether the process came out of a snapshot, so that all but the first inference may have happened long before. */
  readonly restored: boolean;
  /** `on-demand`, `provisioned-concurrency`, `snap-start`; null outside Lambda. */
  readonly startMode: string | null;
  readonly memoryMiB: number | null;
  readonly error: { readonly code: string; readonly what: string } | null;
};

/** What the loader knows of a cold start; null where it did not get so far. */
export type ColdStartFacts = Pick<
  ColdStartLog,
  | 'source'
  | 'release'
  | 'digest'
  | 'variantId'
  | 'delivery'
  | 'threads'
  | 'threadsOrigin'
  | 'threadsWarning'
  | 'session'
  | 'inference'
  | 'fromCache'
  | 'engine'
  | 'engineVersion'
  | 'sizeBytes'
  | 'expandedSizeBytes'
  | 'reused'
  | 'restored'
  | 'phases'
>;

/**
 * Makes the record of one cold start.
 *
 * @param facts - What the loader knows.
 * @param failure - What was thrown, or undefined when the first inference is done.
 * @param environment - Where Lambda says how it started the process.
 * @returns The record, JSON-safe.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export function makeColdStartLog(
  facts: ColdStartFacts,
  failure: unknown,
  environment: NodeJS.ProcessEnv = process.env,
): ColdStartLog {
  const phases = completePhases(facts.phases);
  const { AWS_LAMBDA_INITIALIZATION_TYPE: startMode, AWS_LAMBDA_FUNCTION_MEMORY_SIZE: memory } = environment;
  return {
    kind: 'optimise-model.cold-start',
    schemaVersion: 1,
    status: failure === undefined ? 'ready' : 'failed',
    ...facts,
    sums:
      phases === null ? null : sumPhases(phases, facts.delivery === 'lazy' && !isSnapshotted(environment)),
    startMode: startMode ?? null,
    memoryMiB: memory === undefined ? null : Number(memory),
    error: failure === undefined ? null : describeFailure(failure),
  };
}

/**
 * Tells whether Lambda takes a snapshot of this process once it is initialised.
 *
 * @param environment - Where Lambda says so.
 * @returns True for SnapStart: then everything is loaded before, whatever the delivery.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/snapstart-runtime-hooks-custom.html
 */
export function isSnapshotted(environment: NodeJS.ProcessEnv): boolean {
  return environment.AWS_LAMBDA_INITIALIZATION_TYPE === 'snap-start';
}

/**
 * Prints a record as one line on stdout, where Lambda collects it; elsewhere it stays silent.
 *
 * @param log - The record.
 */
export function printOnLambda(log: ColdStartLog): void {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME !== undefined) console.log(printJson(log, 0));
}

function describeFailure(failure: unknown): { readonly code: string; readonly what: string } {
  if (failure instanceof OptimiseModelError) return { code: failure.code, what: failure.message };
  return { code: 'internal-error', what: failure instanceof Error ? failure.message : String(failure) };
}
