import type { OptimisationLevel } from '../../lib/session-options.js';
import type { NamedTensors } from '../../lib/tensor.js';
import type { UsedOpenvino } from '../engine-in-use.js';
import type { OpenedProfile } from '../profile/open-profile.js';

/** Levels that differ for most models; `layout` does what `all` does on most processors. */
export const usualLevels: readonly OptimisationLevel[] = ['disabled', 'basic', 'extended', 'all'];

/** What {@link tuneSessions} tries and how. */
export type TuneOptions = {
  readonly variantId: string;
  readonly digest: string;
  /** The artifact's folder on this machine. */
  readonly artifactFolder: string;
  readonly feeds: NamedTensors;
  /** Null for an artifact of another engine. */
  readonly openvino: UsedOpenvino | null;
  /** Threads inside one operator, ≥ 1. */
  readonly threads: number;
  /** How far graphs are rewritten, when a session is opened or beforehand; one or more. */
  readonly levels: readonly OptimisationLevel[];
  /** Processes per configuration, ≥ 1, configurations in turns. */
  readonly runs: number;
  /** Inferences after the first, per process, ≥ 1. */
  readonly warm: number;
  /** Options are chosen whose steady inferences take at most this many times those of the fastest, ≥ 1. */
  readonly mostSteadyShare: number;
  /** A folder for the expanded model and the graphs that are saved, on a disk with room for several times the FP32 model. */
  readonly workFolder: string;
  readonly memoryMiB: number | null;
  /** Holds every process to `memoryMiB`; null to run them as they are. */
  readonly profile: Pick<OpenedProfile, 'profile' | 'findings' | 'launcher' | 'readMemory'> | null;
  /** Longest that one process may take, milliseconds. */
  readonly timeoutMs: number;
};
