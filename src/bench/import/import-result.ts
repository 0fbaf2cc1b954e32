import type { StartMode } from '../../lib/start-mode.js';
import type { Finding } from '../../messages/finding.js';
import type { Spread } from '../statistics/spread.js';

/**
 * The six metrics of the cold-start study, milliseconds: from the call to the start of the load segment; the load, 0
 * where the model was loaded before the call (SnapStart); the first inference; a further inference; and two sums.
 */
export type StudyMetrics = {
  readonly callingToLoadModelMs: number;
  readonly loadModelMs: number;
  readonly initialInferenceMs: number;
  readonly approxInferenceTimeMs: number;
  /** `callingToLoadModelMs + loadModelMs`. */
  readonly callingLoadSumMs: number;
  /** `callingLoadSumMs + initialInferenceMs`. */
  readonly totalMetricMs: number;
};

/** What tells imported rows apart. */
export type ImportRowName = {
  readonly functionName: string;
  /** What was opened; null where no record says it. */
  readonly variantId: string | null;
  /** How the model's bytes came, where the function says it. */
  readonly delivery: string | null;
  /** Inside one operator; null where no record says it. */
  readonly threads: number | null;
  readonly memoryMiB: number;
  readonly startMode: StartMode;
  /** `cold`: the first call that a process answered; `warm`: a later one. */
  readonly state: 'cold' | 'warm';
};

/** One invocation with all that was asked of it. */
export type ImportedInvocation = ImportRowName & {
  readonly requestId: string;
  readonly metrics: StudyMetrics;
  /** From the call until the process existed, milliseconds; null for a warm call. */
  readonly environmentMs: number | null;
  /** Of the platform's report; null where it has none. */
  readonly initMs: number | null;
  readonly restoreMs: number | null;
  readonly billedMs: number | null;
  readonly maxMemoryBytes: number | null;
};

/** All invocations that have one name: nothing that a name tells apart is ever in one figure. */
export type ImportRow = ImportRowName & {
  /** Invocations, failed ones included. */
  readonly calls: number;
  readonly failures: number;
  /** Null when every call failed. */
  readonly metrics: Readonly<Record<keyof StudyMetrics, Spread | null>>;
  readonly environmentMs: Spread | null;
  readonly initMs: Spread | null;
  readonly restoreMs: Spread | null;
  readonly billedMs: Spread | null;
  /** The highest of all calls. */
  readonly maxMemoryBytes: number | null;
};

/** A figure for `bench.environment` of the pipeline file. */
export type ImportedEnvironment = {
  readonly functionName: string;
  readonly variantId: string | null;
  /** Null where no function said by which delivery its model came. */
  readonly delivery: string | null;
  readonly memoryMiB: number;
  readonly startMode: StartMode;
  /** Cold starts it rests on. */
  readonly count: number;
  /** Median, milliseconds. */
  readonly ms: number;
  /** What it rests on, in words. */
  readonly source: string;
};

/** What real runs on Lambda took. */
export type ImportResult = {
  /** By function, variant, delivery, memory, threads, start mode; cold before warm. */
  readonly rows: readonly ImportRow[];
  /** In the order of the files. */
  readonly invocations: readonly ImportedInvocation[];
  /** One per cold row. */
  readonly environments: readonly ImportedEnvironment[];
  readonly files: readonly { readonly file: string; readonly records: number; readonly ignored: number }[];
  readonly findings: readonly Finding[];
};
