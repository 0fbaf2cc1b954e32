import type { Delivery } from '../lib/delivery.js';
import { printJson } from '../lib/json.js';
import { type PhaseSums, sumPhases } from '../lib/phases.js';
import { OptimiseModelError } from '../messages/error.js';
import { completePhases, type MeasuredPhases } from './phase-clock.js';

/** One cold start as one log line: what was opened, how, and where the time went. */
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
  readonly threads: number | null;
  readonly engine: string | null;
  readonly engineVersion: string | null;
  readonly sizeBytes: number | null;
  readonly phases: MeasuredPhases;
  /** Null as long as a phase is missing. */
  readonly sums: PhaseSums | null;
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
  | 'engine'
  | 'engineVersion'
  | 'sizeBytes'
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
    sums: phases === null ? null : sumPhases(phases, facts.delivery === 'lazy'),
    startMode: startMode ?? null,
    memoryMiB: memory === undefined ? null : Number(memory),
    error: failure === undefined ? null : describeFailure(failure),
  };
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
