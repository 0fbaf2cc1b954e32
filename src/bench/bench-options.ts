import type { Delivery } from '../lib/delivery.js';
import type { NamedTensors } from '../lib/tensor.js';
import type { LinkModel } from './link-model.js';

/** Longest that one sample may take unless another limit is given, ms: Lambda's own limit. */
export const defaultTimeoutMs = 900_000;

/** One staged artifact to measure. */
export type BenchTarget = {
  readonly variantId: string;
  readonly digest: string;
  /** Address of its `artifact.json` in a store. */
  readonly artifactUrl: string;
  /** Its folder on this machine, for delivery `layer`. */
  readonly artifactFolder: string;
  readonly sizeBytes: number;
};

/** What passes before the process exists, stated by the user because one machine cannot see it. */
export type StatedEnvironment = {
  readonly ms: number;
  /** What the figure rests on. */
  readonly source: string;
};

/** A variant × delivery that is not to be measured, and why. */
export type BenchSkip = {
  readonly variantId: string;
  readonly delivery: Delivery;
  readonly reason: string;
};

/** What {@link benchmark} measures and how. */
export type BenchOptions = {
  readonly targets: readonly BenchTarget[];
  readonly deliveries: readonly Delivery[];
  /** Samples per row, ≥ 1; each is a new process. */
  readonly runs: number;
  /** Inferences after the first, per sample, ≥ 0. */
  readonly warm: number;
  /** Threads inside one operator, ≥ 1. */
  readonly threads: number;
  readonly feeds: NamedTensors;
  /** The link in front of a directory store; `direct` lets the sample read the store as it is. */
  readonly link: LinkModel | 'direct';
  readonly environment: Readonly<Partial<Record<Delivery, StatedEnvironment>>>;
  /** Where raw samples go, one JSON line each: as they come into a `.part` beside it, which replaces it at the end. */
  readonly samplesFile: string;
  readonly skip: readonly BenchSkip[];
  /** Longest that one sample may take; default {@link defaultTimeoutMs}. */
  readonly timeoutMs?: number;
  /** Where `s3-copy` puts its copy; default the system's temporary folder. */
  readonly ephemeralDir?: string;
};
