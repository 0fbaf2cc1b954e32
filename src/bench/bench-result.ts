import type { Delivery } from '../lib/delivery.js';
import type { PhaseSums, Phases } from '../lib/phases.js';
import type { Finding } from '../messages/finding.js';
import type { StatedEnvironment } from './bench-options.js';
import type { CacheState } from './cache-state.js';
import type { Machine } from './describe-machine.js';
import type { Spread } from './statistics.js';

/** What went wrong with one sample. */
export type SampleError = { readonly code: string; readonly what: string };

/** One process, from its start to its end; without phases when it did not get through. */
export type BenchSample = {
  readonly variantId: string;
  readonly delivery: Delivery;
  /** Round, from 0. */
  readonly run: number;
  readonly phases: Phases | null;
  /** Each inference after the first, milliseconds. */
  readonly steadyMs: readonly number[];
  readonly peakRssBytes: number | null;
  readonly cache: CacheState;
  readonly error: SampleError | null;
};

/** Everything that is summed up over the samples of a row, milliseconds. */
export type BenchQuantity = keyof Phases | keyof PhaseSums | 'steadyMs';

/** One variant × delivery. Sums hold what was measured here; a stated environment is apart. */
export type BenchRow = {
  readonly variantId: string;
  readonly delivery: Delivery;
  /** Samples taken, failed ones included. */
  readonly runs: number;
  readonly failures: number;
  /** Null without a measurement. `steadyMs` is over all inferences of all samples. */
  readonly phases: Readonly<Record<BenchQuantity, Spread | null>>;
  /** The highest of all samples. */
  readonly peakRssBytes: number | null;
  readonly environment: StatedEnvironment | null;
  /** Why a sum leaves something out; null when it is comparable. */
  readonly comparable: { readonly total: string | null; readonly ready: string | null };
};

/** What the bytes passed on their way. */
export type BenchLink = {
  readonly label: string;
  readonly simulated: boolean;
  /** Null when nothing was shaped. */
  readonly latencyMs: number | null;
  readonly bytesPerSecond: number | null;
};

/** What {@link benchmark} found. */
export type BenchResult = {
  /** In the order of targets, then of deliveries. */
  readonly rows: readonly BenchRow[];
  /** Raw, in the order in which they were taken. */
  readonly samples: readonly BenchSample[];
  readonly link: BenchLink;
  readonly cache: { readonly state: CacheState; readonly title: string };
  readonly machine: Machine;
  readonly threads: number;
  readonly durationMs: number;
  readonly findings: readonly Finding[];
};
