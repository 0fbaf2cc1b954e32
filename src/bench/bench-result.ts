import type { Delivery } from '../lib/delivery.js';
import type { PhaseSums, Phases } from '../lib/phases.js';
import type { SessionOptions } from '../lib/session-options.js';
import type { Finding } from '../messages/finding.js';
import type { StatedEnvironment } from './bench-options.js';
import type { CacheState } from './cache/cache-state.js';
import type { Machine } from './describe-machine.js';
import type { BenchRuntime } from './engine-in-use.js';
import type { Spread } from './statistics/spread.js';

/** What went wrong with one sample. */
export type SampleError = { readonly code: string; readonly what: string };

/** What tells rows apart before they are measured. */
export type RowName = {
  readonly variantId: string;
  readonly delivery: Delivery;
  /** Of the profile it was measured in, MiB; null for the whole machine. */
  readonly memoryMiB: number | null;
};

/** One process, from its start to its end; without phases when it did not get through. */
export type BenchSample = RowName & {
  /** Round, from 0. */
  readonly run: number;
  readonly phases: Phases | null;
  /** Each inference after the first, milliseconds. */
  readonly steadyMs: readonly number[];
  readonly peakRssBytes: number | null;
  readonly cache: CacheState;
  /** What the host took from all processors of this machine meanwhile, ms; null where that is not known. */
  readonly stealMs: number | null;
  readonly error: SampleError | null;
};

/** Everything that is summed up over the samples of a row, milliseconds. */
export type BenchQuantity = keyof Phases | keyof PhaseSums | 'steadyMs';

/** What no way of loading these bytes over this link could beat. */
export type PhysicalLimit = {
  /** The artifact's bytes that pass the link, or of `layer` the disk that is held to a rate; 0 where nothing must. */
  readonly linkBytes: number;
  /** These bytes ÷ what the link or disk passes. */
  readonly linkMs: number;
  /** Median session on the memory-mapped FP32 form without prepacking, or the row's own where that is shorter. */
  readonly sessionMs: number;
  /** Their sum. */
  readonly loadMs: number;
  /** The limit ÷ the median load, at most 1; null without a measurement. */
  readonly efficiency: number | null;
};

/** One variant × delivery × memory in one cache state. Sums hold what was measured here; a stated environment is apart. */
export type BenchRow = RowName & {
  readonly cache: CacheState;
  readonly session: SessionOptions;
  /** Samples taken, failed ones included. */
  readonly runs: number;
  readonly failures: number;
  /** Null without a measurement. `steadyMs` is over all inferences of all samples. */
  readonly phases: Readonly<Record<BenchQuantity, Spread | null>>;
  /** Runs whose total lies far off by the median absolute deviation. They are part of every figure. */
  readonly outliers: readonly number[];
  /** The highest of all samples. */
  readonly peakRssBytes: number | null;
  readonly environment: StatedEnvironment | null;
  /** Why a sum leaves something out; null when it is comparable. */
  readonly comparable: { readonly total: string | null; readonly ready: string | null };
  /** Null where the floor could not be measured, or the link is not known. */
  readonly limit: PhysicalLimit | null;
};

/** A ratio of medians with its 95 % bootstrap interval, or `too-few-samples` for one and for a verdict. */
export type RatioInterval = {
  readonly ratio: number;
  /** Ends of the interval; with `too-few-samples` the most extreme ratios that the values allow, which is none. */
  readonly low: number;
  readonly high: number;
  /** Of the row that has fewer of them. */
  readonly samples: number;
  readonly verdict: 'slower' | 'faster' | 'no-measurable-difference' | 'too-few-samples';
};

/** One row against the one with the lowest median total of the same memory and cache state. */
export type BenchComparison = {
  readonly row: RowName;
  readonly against: RowName;
  /** Of both rows. */
  readonly cache: CacheState;
  /** This row ÷ the other; `steady` null without warm inferences. */
  readonly total: RatioInterval;
  readonly steady: RatioInterval | null;
};

/** What the bytes passed on their way. */
export type BenchLink = {
  readonly label: string;
  readonly simulated: boolean;
  /** Null when nothing was shaped. */
  readonly latencyMs: number | null;
  readonly jitterMs: number | null;
  readonly bytesPerSecond: number | null;
  readonly perConnectionBytesPerSecond: number | null;
  /** What the link was seen to do just before the first sample; null when nothing was shaped. */
  readonly achieved: { readonly bytesPerSecond: number; readonly latencyMs: number } | null;
};

/** The disk that files were read from. */
export type BenchDisk = {
  /** What it was held to; null when it was left as it is. */
  readonly bytesPerSecond: number | null;
  /** How it was held: by the block layer of a control group, or not at all. */
  readonly enforcement: 'cgroup-v1' | 'cgroup-v2' | 'none';
  readonly label: string;
};

/** How one memory setting was imitated. */
export type BenchProfile = {
  readonly memoryMiB: number | null;
  /** Processors that the setting stands for: one per 1,769 MiB on Lambda. */
  readonly vcpus: number;
  readonly threads: number;
  /** Such as `cgroup quota 0.2 CPU`. */
  readonly threadsOrigin: string;
  readonly cpuLimit: 'cgroup-v1' | 'cgroup-v2' | 'affinity' | 'none';
  readonly memoryLimit: 'cgroup-v1' | 'cgroup-v2' | 'none';
};

/** A release that a run was compared with. */
export type BaselineVerdict = {
  readonly release: string;
  readonly baseline: RowName;
  readonly candidate: RowName;
  /** Highest ratio of totals that is accepted, such as 1.1. */
  readonly mostRatio: number;
  /** Candidate ÷ baseline. */
  readonly total: RatioInterval;
  /** `inconclusive`: the interval reaches to both sides of what is accepted, or there are too few samples for one. */
  readonly verdict: 'pass' | 'fail' | 'inconclusive';
};

/** What {@link benchmark} found. */
export type BenchResult = {
  /** In the order of targets, deliveries, memory, then cache states. */
  readonly rows: readonly BenchRow[];
  readonly comparisons: readonly BenchComparison[];
  /** Null when no release was named. */
  readonly baseline: BaselineVerdict | null;
  /** Raw, in the order in which they were taken. */
  readonly samples: readonly BenchSample[];
  /** Samples that only the physical limits rest on: sessions on the expanded form, without a link. */
  readonly limitSamples: readonly BenchSample[];
  readonly link: BenchLink;
  /** What the bytes of `url` passed, where that is another link; else null. */
  readonly hubLink: BenchLink | null;
  readonly disk: BenchDisk;
  readonly profiles: readonly BenchProfile[];
  /** Of most samples; each row says its own. */
  readonly cache: { readonly state: CacheState; readonly title: string };
  /** The engines that were measured, each once, in the order of the targets. */
  readonly runtimes: readonly BenchRuntime[];
  readonly machine: Machine;
  readonly durationMs: number;
  readonly findings: readonly Finding[];
};
