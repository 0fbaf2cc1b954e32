import type { ArtifactSessions, OptimisationLevel, SessionOptions } from '../../lib/session-options.js';
import type { Engine } from '../../lib/variant.js';
import type { Finding } from '../../messages/finding.js';
import type { BenchProfile, SampleError } from '../bench-result.js';
import type { CacheState } from '../cache/cache-state.js';
import type { Machine } from '../describe-machine.js';

/** The artifact's files as they are, or their memory-mappable FP32 form, which `stream` writes. */
export type TuneForm = 'own' | 'expanded';

/** A graph that was rewritten and saved beforehand, its weights in a data file that is mapped. */
export type SavedGraph = {
  readonly optimisation: OptimisationLevel;
  /** Whether its weights were saved as the kernels pack them, too. */
  readonly isPrepacked: boolean;
};

/**
 * What OpenVINO finds in the folder of its model cache when it opens a session: there is none; nothing yet, so that it
 * compiles and writes; what an earlier process has left.
 */
export type ModelCacheState = 'none' | 'cold' | 'warm';

/** One way of opening a session on a variant. */
export type TuneConfiguration = {
  readonly form: TuneForm;
  /** Null when the form's files are opened as they are. */
  readonly saved: SavedGraph | null;
  readonly session: SessionOptions;
  readonly modelCache: ModelCacheState;
  /** Whether files are mapped into memory rather than read, where the engine has a say on it. */
  readonly isMapped: boolean;
};

/** What one process measured, milliseconds. */
export type TuneSample = {
  /** Round, from 0. */
  readonly run: number;
  readonly sessionMs: number;
  readonly firstInferenceMs: number;
  readonly steadyMs: readonly number[];
  readonly peakRssBytes: number;
  /** Of the model cache when the process had ended; null without one. */
  readonly cacheSizeBytes: number | null;
};

/** A configuration with its figures: medians over processes, null without a measurement. */
export type TunedConfiguration = TuneConfiguration & {
  readonly sessionMs: number | null;
  readonly firstInferenceMs: number | null;
  /** Session and first inference of the same process added up. */
  readonly readyMs: number | null;
  /** Over all inferences after the first of all processes. */
  readonly steadyMs: number | null;
  /** What it opens, on disk. */
  readonly sizeBytes: number | null;
  /** What the model cache takes besides, bytes; null without one. */
  readonly cacheSizeBytes: number | null;
  /** The highest of all processes. */
  readonly peakRssBytes: number | null;
  /** What a saved graph or a model cache was made for and may not work without, or not as well; null where it works anywhere. */
  readonly boundTo: string | null;
  readonly samples: readonly TuneSample[];
  /** Of the first process that failed, or of the saving. */
  readonly error: SampleError | null;
};

/** What {@link tuneSessions} found for one variant. */
export type TuneResult = {
  readonly variantId: string;
  readonly engine: Engine;
  readonly engineVersion: string;
  readonly memoryMiB: number | null;
  readonly threads: number;
  /** How memory and processors were limited; null when nothing was to be. */
  readonly profile: BenchProfile | null;
  readonly configurations: readonly TunedConfiguration[];
  /** Positions of those that none beats in `readyMs`, `steadyMs` and `sizeBytes` at once. */
  readonly front: readonly number[];
  readonly chosen: ArtifactSessions;
  /** Why these were chosen, one sentence per form. */
  readonly reason: string;
  /** The files' pages were read into memory just before each process. */
  readonly cache: CacheState;
  readonly machine: Machine;
  readonly durationMs: number;
  readonly findings: readonly Finding[];
};
