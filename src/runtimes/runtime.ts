import type { SessionOptions } from '../lib/session-options.js';
import type { NamedTensors, ValueSpec } from '../lib/tensor.js';
import type { Engine } from '../lib/variant.js';

/** Where a session reads its model: a path (external data beside it is memory-mapped) or bytes already in memory. */
export type ModelSource =
  | { readonly path: string }
  | {
      readonly bytes: Uint8Array;
      /** External data files by the location that the model names. */
      readonly externalData: readonly { readonly path: string; readonly data: Uint8Array }[];
    };

/** How a session runs. */
export type SessionSettings = {
  /** Threads inside one operator, ≥ 1. */
  readonly threads: number;
  readonly options: SessionOptions;
};

/** A model ready to run; feeds are checked for presence, type and shape before the engine sees them. */
export type RuntimeSession = {
  readonly inputs: readonly ValueSpec[];
  readonly outputs: readonly ValueSpec[];
  /** Runs once; only tensor outputs are asked for and returned. */
  readonly run: (feeds: NamedTensors) => Promise<NamedTensors>;
  readonly close: () => Promise<void>;
  /** The engine's own session object, such as onnxruntime's `InferenceSession`. */
  readonly native: unknown;
};

/** One engine, loaded. */
export type Runtime = {
  readonly engine: Engine;
  readonly version: string;
  readonly openSession: (source: ModelSource, settings: SessionSettings) => Promise<RuntimeSession>;
};
