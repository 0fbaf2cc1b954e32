import type { StartMode } from '../../lib/start-mode.js';
import type { RecordPlace } from './import-options.js';

/** One log event of CloudWatch, or one line of a file, before it is understood. */
export type LogEvent = {
  readonly place: RecordPlace;
  /** One stream is one process; the file's name where no stream is named. */
  readonly stream: string;
  /** From the log group or stream; null where neither names it. */
  readonly functionName: string | null;
  readonly message: string;
};

/** `START RequestId: …`: what the stream says from here on belongs to this request. */
type StartRecord = { readonly kind: 'start'; readonly requestId: string };

/** What the platform reports at the end of an invocation. */
export type ReportRecord = {
  readonly kind: 'report';
  readonly requestId: string;
  readonly traceId: string | null;
  readonly durationMs: number;
  readonly billedMs: number | null;
  readonly memoryMiB: number;
  readonly maxMemoryMiB: number | null;
  readonly initMs: number | null;
  readonly restoreMs: number | null;
  /** Such as `timeout` or `error`; null when the invocation went well. */
  readonly failure: string | null;
  /** Whether the runtime interface emulator wrote it, whose initialisation and peak memory are no measurements. */
  readonly isEmulated: boolean;
};

/** How the process of a stream was started, before any request. */
export type InitRecord = {
  readonly kind: 'init';
  readonly startMode: StartMode | null;
  readonly functionName: string | null;
  readonly restoreMs: number | null;
};

/** What our handlers log once per invocation; null where a handler leaves it to another source. */
export type InvocationRecord = {
  readonly kind: 'invocation';
  readonly requestId: string;
  readonly traceId: string | null;
  readonly functionName: string | null;
  readonly memoryMiB: number | null;
  readonly startMode: StartMode | null;
  readonly variantId: string | null;
  readonly delivery: string | null;
  readonly threads: number | null;
  readonly isCold: boolean;
  /** Unix time on the caller's clock, ms. */
  readonly calledAtMs: number | null;
  /** Unix time, ms; null after a snapshot, whose process is older than the call. */
  readonly processStartedAtMs: number | null;
  /**
   * Unix time, ms: when the load began, the engine's library loaded before; when the handler was entered if nothing was
   * left to load.
   */
  readonly loadStartedAtMs: number | null;
  readonly loadMs: number | null;
  readonly initialInferenceMs: number | null;
  readonly approxInferenceTimeMs: number | null;
};

/** What the loader logs once per cold start. */
export type ColdStartRecord = {
  readonly kind: 'cold-start';
  /** Null when the line was printed outside a request. */
  readonly requestId: string | null;
  readonly functionName: string | null;
  readonly memoryMiB: number | null;
  readonly startMode: StartMode | null;
  readonly variantId: string | null;
  readonly delivery: string | null;
  readonly threads: number | null;
  /** Whether the process came out of a snapshot, so that the load happened before the call. */
  readonly isRestored: boolean;
  /**
   * Process start to loader entry, and the runtime's library; the load begins after both. Null after a failure; the former
   * also for all but the first model of a process.
   */
  readonly startMs: number | null;
  readonly runtimeMs: number | null;
  readonly loadMs: number | null;
  readonly firstInferenceMs: number | null;
  readonly failure: string | null;
};

/** What X-Ray saw of one invocation; Unix times and durations in milliseconds. */
export type TraceRecord = {
  readonly kind: 'trace';
  readonly requestId: string | null;
  readonly traceId: string;
  readonly functionName: string | null;
  readonly calledAtMs: number;
  readonly initStartedAtMs: number | null;
  readonly restoredAtMs: number | null;
  readonly handlerStartedAtMs: number | null;
  readonly loadStartedAtMs: number | null;
  readonly loadMs: number | null;
  readonly initialInferenceMs: number | null;
  readonly approxInferenceTimeMs: number | null;
};

/** Anything that is read from an export. */
export type LambdaRecord =
  | StartRecord
  | ReportRecord
  | InitRecord
  | InvocationRecord
  | ColdStartRecord
  | TraceRecord;

const startModes: Readonly<Record<string, StartMode>> = {
  'on-demand': 'on-demand',
  'snap-start': 'snapstart',
  snapstart: 'snapstart',
  'provisioned-concurrency': 'provisioned',
  provisioned: 'provisioned',
};

/**
 * Translates Lambda's name of an initialisation type.
 *
 * @param name - Value of `AWS_LAMBDA_INITIALIZATION_TYPE` or `initializationType`.
 * @returns Our name; null for one that is not known.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export function readStartMode(name: unknown): StartMode | null {
  return typeof name === 'string' && Object.hasOwn(startModes, name) ? (startModes[name] ?? null) : null;
}
