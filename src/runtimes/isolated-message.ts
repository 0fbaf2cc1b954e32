import type { NamedTensors, ValueSpec } from '../lib/tensor.js';
import type { Engine } from '../lib/variant.js';
import type { MessageCode } from '../messages/catalogue.js';

/** What the child process is asked to do: one session, and one run unless it has nothing to be fed. */
export type IsolatedRequest = {
  readonly engine: Engine;
  readonly modelPath: string;
  /** Null to open the model only. */
  readonly feeds: NamedTensors | null;
  readonly threads: number;
};

/** What one session in a process of its own gave. */
export type IsolatedRun = {
  /** The tensor outputs, by name. */
  readonly outputs: NamedTensors;
  /** Names of outputs that are no tensors or cannot be returned; they were not asked for. */
  readonly skipped: readonly string[];
  readonly outputSpecs: readonly ValueSpec[];
  readonly runtimeVersion: string;
};

/** What the child process answers; errors travel as code and facts and are put into words again by the parent. */
export type IsolatedAnswer =
  | { readonly ok: true; readonly run: IsolatedRun }
  | { readonly ok: false; readonly code: MessageCode; readonly facts: unknown; readonly stack: string };
