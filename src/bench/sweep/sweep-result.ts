import type { SessionOptions } from '../../lib/session-options.js';
import type { Finding } from '../../messages/finding.js';
import type { BenchProfile, SampleError } from '../bench-result.js';
import type { Machine } from '../describe-machine.js';

/** How many processes run at a time, and how many threads each of them has. */
export type Combination = {
  readonly workers: number;
  readonly threads: number;
  /** Whether they have more threads together than there are processors. */
  readonly isOversubscribed: boolean;
};

/** What one combination gave. Figures are null when it failed, and where too few inferences back them. */
export type SweepPoint = Combination & {
  /** Begun within the windows; each stands in every figure. */
  readonly inferences: number;
  /** All its windows together, milliseconds. */
  readonly windowMs: number;
  readonly p50Ms: number | null;
  /** Of 20 inferences or more. */
  readonly p95Ms: number | null;
  /** Of 100 inferences or more. */
  readonly p99Ms: number | null;
  /** Mean of the inferences' durations, each rounded up to the millisecond, as a function is billed. */
  readonly billedMs: number | null;
  /** All workers together. */
  readonly throughputPerSecond: number | null;
  /** The peaks of all workers added up: pages that they share count once for each. */
  readonly peakRssBytes: number | null;
  /** Null without a price, and for several workers where the price is for one request at a time. */
  readonly costPer100kUsd: number | null;
  readonly error: SampleError | null;
};

/** Positions in `points`; null when none has the figure. */
export type BestPoints = {
  readonly latency: number | null;
  readonly throughput: number | null;
  readonly cost: number | null;
};

/** What {@link sweepSteady} found for one variant in one memory profile. */
export type SweepResult = {
  readonly variantId: string;
  readonly memoryMiB: number | null;
  readonly cpus: number;
  /** How memory and processors were limited; null when nothing was to be. */
  readonly profile: BenchProfile | null;
  readonly session: SessionOptions;
  readonly points: readonly SweepPoint[];
  readonly best: BestPoints;
  /** What `costPer100kUsd` rests on; null without a price, or when what was measured is not what it is for. */
  readonly priceBasis: string | null;
  readonly machine: Machine;
  readonly durationMs: number;
  readonly findings: readonly Finding[];
};
