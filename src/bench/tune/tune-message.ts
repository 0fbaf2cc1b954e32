import type { Engine, InferencePrecision } from '../../lib/variant.js';
import type { SessionSettings } from '../../runtimes/runtime.js';
import type { OptimisedTarget } from '../../runtimes/save-optimised.js';
import type { SampleError } from '../bench-result.js';
import type { TuneSample } from './tune-result.js';

/** What a process of the tuning is to do; it travels as JSON on its command line. */
export type TuneJob = {
  readonly engine: Engine;
  readonly modelPath: string;
  /** Variables that are set before anything else. */
  readonly environment: Readonly<Record<string, string>>;
} & (
  | {
      readonly kind: 'measure';
      readonly settings: SessionSettings;
      readonly feedsPath: string;
      readonly warm: number;
    }
  | { readonly kind: 'save'; readonly target: OptimisedTarget }
);

/** What one session gave. */
type TuneMeasurement = Omit<TuneSample, 'run' | 'cacheSizeBytes'> & {
  /** What FP32 operations were computed in. */
  readonly inference: InferencePrecision;
  /** Inside one operator. */
  readonly threads: number;
  readonly isFromCache: boolean;
};

/** What a process of the tuning answers; a graph that was saved has no figures. */
export type TuneAnswer =
  | { readonly ok: true; readonly measured: TuneMeasurement | null }
  | { readonly ok: false; readonly error: SampleError };
