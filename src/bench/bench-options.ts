import type { Delivery } from '../lib/delivery.js';
import type { ArtifactSessions } from '../lib/session-options.js';
import type { NamedTensors } from '../lib/tensor.js';
import type { Variant } from '../lib/variant.js';
import type { CacheMode } from './cache/cache-state.js';
import type { UsedOpenvino } from './engine-in-use.js';
import type { LinkModel } from './link/link-model.js';

/** Longest that one sample may take unless another limit is given, ms: Lambda's own limit. */
export const defaultTimeoutMs = 900_000;

/** One staged artifact to measure. */
export type BenchTarget = {
  /** Names its rows; of the release that a run is compared with, `VARIANT@RELEASE`. */
  readonly variantId: string;
  /** What it is: which engine opens it, what that reads, and what it is to compute in. */
  readonly variant: Variant;
  readonly digest: string;
  /** Address of its `artifact.json` in a store. */
  readonly artifactUrl: string;
  /** Its folder on this machine, for delivery `layer`; null when it is nowhere but in the store. */
  readonly artifactFolder: string | null;
  readonly sizeBytes: number;
  /** Of its memory-mappable FP32 form, which `stream` writes. */
  readonly expandedSizeBytes: number;
  readonly sessions: ArtifactSessions;
  /** The only deliveries it is measured by; null for all that are asked for. */
  readonly deliveries: readonly Delivery[] | null;
};

/** The time before the process exists, stated by the user because one machine cannot see it. */
export type StatedEnvironment = {
  /** All of it, no difference to another delivery. */
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

/** A disk whose throughput is stated, for files that a sample reads from this machine's disk. */
export type DiskModel = { readonly bytesPerSecond: number };

/** The HTTP(S) server that `url` reads from. */
type BenchHub = {
  /** Address below which the store's keys are files; null serves the artifacts' folders of this machine over HTTP. */
  readonly url: string | null;
  /** The link in front of what is served here; null for the same as everything else passes. */
  readonly link: LinkModel | 'direct' | null;
};

/** How `mount` reaches the artifacts. */
type BenchMount = {
  /** The folder below which the store's keys are files. */
  readonly folder: string;
  readonly mode: 'copy' | 'direct';
};

/** The release that a run must not be slower than. */
export type BenchBaseline = {
  readonly release: string;
  /** Names the target that is its chosen artifact. */
  readonly variantId: string;
  /** As it was published. */
  readonly delivery: Delivery;
  /** Highest ratio of totals that is accepted, such as 1.1. */
  readonly mostRatio: number;
};

/** How many samples each row gets. */
export type SamplingPlan = {
  /** Samples per row, ≥ 1; each is a new process. */
  readonly runs: number;
  /**
   * Sampling goes on beyond `runs` until the 95 % interval of the median total of every row is at most this share of it
   * wide; null stops at `runs`.
   */
  readonly targetWidth: number | null;
  /** Never more than this, ≥ `runs`. */
  readonly mostRuns: number;
};

/** What {@link benchmark} measures and how. */
export type BenchOptions = SamplingPlan & {
  readonly targets: readonly BenchTarget[];
  readonly deliveries: readonly Delivery[];
  /** Inferences after the first, per sample, ≥ 0. */
  readonly warm: number;
  /** Threads inside one operator, ≥ 1; null for those of each memory profile. */
  readonly threads: number | null;
  /** Memory of the functions that are imitated, MiB; without any the whole machine is used, as it is. */
  readonly memoryMiB: readonly number[];
  /** What is done to the page cache before each sample. */
  readonly cacheMode: CacheMode;
  readonly feeds: NamedTensors;
  /** The link in front of a store on this machine; `direct` lets samples read the store as it is. */
  readonly link: LinkModel | 'direct';
  /** Where `url` finds the artifacts. */
  readonly hub: BenchHub;
  /** Null for the disk as it is. */
  readonly disk: DiskModel | null;
  readonly mount: BenchMount | null;
  readonly environment: Readonly<Partial<Record<Delivery, StatedEnvironment>>>;
  /**
   * Where raw samples go, one JSON line each, those of the limits last: as they come into a `.part` beside it, which
   * replaces it at the end. Of a benchmark that failed or was interrupted the `.part` stays, when a sample had been taken,
   * until the next one begins.
   */
  readonly samplesFile: string;
  /** Null when no target is for OpenVINO. */
  readonly openvino: UsedOpenvino | null;
  readonly skip: readonly BenchSkip[];
  /** Measured beside the rest and compared with the best of it; null when nothing is. */
  readonly baseline: BenchBaseline | null;
  /** Longest that one sample may take; default {@link defaultTimeoutMs}. */
  readonly timeoutMs?: number;
  /** Where copies go; default the system's temporary folder. */
  readonly ephemeralDir?: string;
};
