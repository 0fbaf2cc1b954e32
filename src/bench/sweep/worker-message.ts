import type { SessionOptions } from '../../lib/session-options.js';
import type { SampleError } from '../bench-result.js';

/** What a worker is to do; it travels as JSON on its command line. */
export type WorkerJob = {
  readonly artifactFolder: string;
  /** Variables that are set before anything else. */
  readonly environment: Readonly<Record<string, string>>;
  readonly threads: number;
  /** Null for an engine that has no such options. */
  readonly session: SessionOptions | null;
  readonly feedsPath: string;
};

/** When all workers run; times are of the machine's monotonic clock, which all processes share. */
export type WorkerOrder = { readonly startAtMs: number; readonly windowMs: number };

/** What a worker says, in this order. */
export type WorkerMessage =
  /** Two inferences are done; `warmMs` is what the second took. */
  | { readonly kind: 'ready'; readonly warmMs: number }
  | { readonly kind: 'done'; readonly times: Float64Array; readonly peakRssBytes: number }
  | { readonly kind: 'failed'; readonly error: SampleError };

/**
 * Reads the machine's monotonic clock.
 *
 * @returns Milliseconds from some moment that is the same for every process.
 */
export function readSharedClockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
