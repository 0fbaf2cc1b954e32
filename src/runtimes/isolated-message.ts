import type { NamedTensors, ValueSpec } from '../lib/tensor.js';
import type { Engine, InferencePrecision } from '../lib/variant.js';
import type { MessageCode } from '../messages/catalogue.js';
import type { ModelNames } from './runtime.js';

/** One session, and one run unless it has nothing to be fed. */
export type RunRequest = {
  readonly engine: Engine;
  readonly modelPath: string;
  /** Null to open the model only. */
  readonly feeds: NamedTensors | null;
  readonly threads: number;
  readonly inference: InferencePrecision;
  readonly names: ModelNames | null;
};

/** What one session in a process of its own gave. */
export type IsolatedRun = {
  /** The tensor outputs, by name. */
  readonly outputs: NamedTensors;
  /** Names of outputs that are no tensors or cannot be returned; they were not asked for. */
  readonly skipped: readonly string[];
  readonly outputSpecs: readonly ValueSpec[];
  readonly runtimeVersion: string;
  /** What it was computed in, read back from the engine. */
  readonly inference: InferencePrecision;
};

/** What an engine says of itself and of this machine. */
export type EngineDescription = {
  readonly version: string;
  /** Its native library; null where its package decides which. */
  readonly libraryPath: string | null;
  /** The processor in the engine's words; null where it has none. */
  readonly device: string | null;
  /** What FP32 operations can be computed in here. */
  readonly inferencePrecisions: readonly InferencePrecision[];
};

/** A compiled model that OpenVINO is to write. */
export type ExportRequest = {
  readonly modelPath: string;
  /** The file, in a folder that exists. */
  readonly path: string;
  readonly inference: InferencePrecision;
};

/** What it wrote. */
export type ExportedBlob = {
  readonly sizeBytes: number;
  /** Of OpenVINO. */
  readonly runtimeVersion: string;
  /** What the blob computes in, read back. */
  readonly inference: InferencePrecision;
};

/** What can be asked of a child process, and what it then gives. */
export type IsolatedTasks = {
  readonly run: { readonly request: RunRequest; readonly result: IsolatedRun };
  readonly describe: { readonly request: { readonly engine: Engine }; readonly result: EngineDescription };
  readonly export: { readonly request: ExportRequest; readonly result: ExportedBlob };
};

/** One of them. */
export type IsolatedTask = keyof IsolatedTasks;

/** What the child process is asked to do. */
export type IsolatedRequest = {
  readonly [Task in IsolatedTask]: { readonly task: Task; readonly request: IsolatedTasks[Task]['request'] };
}[IsolatedTask];

/** What the child process answers; errors travel as code and facts and are put into words again by the parent. */
export type IsolatedAnswer<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly code: MessageCode; readonly facts: unknown; readonly stack: string };
