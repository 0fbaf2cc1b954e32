import type { InferencePrice } from '../../lib/inference-price.js';
import type { SessionOptions } from '../../lib/session-options.js';
import type { NamedTensors } from '../../lib/tensor.js';
import type { UsedOpenvino } from '../engine-in-use.js';
import type { OpenedProfile } from '../profile/open-profile.js';

/** How long all workers run together. */
export type SweepWindow = {
  /** Milliseconds, > 0. */
  readonly durationMs: number;
  /** It lasts longer until about this many inferences have been made, ≥ 1. */
  readonly leastInferences: number;
  /** But never longer than this, milliseconds, ≥ `durationMs`. */
  readonly mostMs: number;
};

/** What {@link sweepSteady} measures and how. */
export type SweepOptions = {
  readonly variantId: string;
  readonly digest: string;
  /** The artifact's folder on this machine. */
  readonly artifactFolder: string;
  readonly session: SessionOptions;
  readonly feeds: NamedTensors;
  /** Null for an artifact of another engine. */
  readonly openvino: UsedOpenvino | null;
  /** Memory of the function that is imitated, MiB; null for the whole machine. */
  readonly memoryMiB: number | null;
  /** Processors that all workers share, > 0; a part of one is possible. What a price is for has `profile.vcpus`. */
  readonly cpus: number;
  /** Holds every worker to `memoryMiB` and `cpus`; null to run them as they are. */
  readonly profile: Pick<OpenedProfile, 'profile' | 'findings' | 'launcher' | 'readMemory'> | null;
  readonly window: SweepWindow;
  /** Windows per combination, each with new processes, combinations in turns; ≥ 1. */
  readonly rounds: number;
  /** Null when no cost is asked for. */
  readonly price: InferencePrice | null;
  /** Longest that workers may take to get warm, or to answer after a window, milliseconds. */
  readonly timeoutMs: number;
};
