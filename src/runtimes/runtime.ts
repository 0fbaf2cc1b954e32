import type { SessionOptions } from '../lib/session-options.js';
import type { NamedTensors, ValueSpec } from '../lib/tensor.js';
import type { Engine, InferencePrecision } from '../lib/variant.js';

/**
 * Where a session reads its model: a path (files beside it are found there, and memory-mapped), or bytes already in
 * memory.
 */
export type ModelSource =
  | { readonly path: string }
  | {
      /** File name of the entry: its extension says what the bytes are. */
      readonly name: string;
      readonly bytes: Uint8Array;
      /** The files beside it, by the location that the model names: external data, or the weights of an IR. */
      readonly externalData: readonly { readonly path: string; readonly data: Uint8Array }[];
    };

/** Names of a model's inputs and outputs, in the order of the exported model. */
export type ModelNames = { readonly inputs: readonly string[]; readonly outputs: readonly string[] };

/** How a session runs. */
export type SessionSettings = {
  /** Threads inside one operator, ≥ 1. */
  readonly threads: number;
  readonly options: SessionOptions;
  /** What FP32 operations may be computed in; the session says what they are computed in. */
  readonly inference: InferencePrecision;
  /** Folder in which the engine keeps what it compiled for the next session; null for nowhere. Of openvino only. */
  readonly cacheFolder: string | null;
  /** Whether files are mapped into memory rather than read; slower through a mount. Of openvino only: see its `ENABLE_MMAP`. */
  readonly isMapped: boolean;
  /** What inputs and outputs are called, where the file may have other names for them too; null where it says itself. */
  readonly names: ModelNames | null;
};

/** What nobody has a say on in most places. */
export const plainSettings = {
  inference: 'f32',
  cacheFolder: null,
  isMapped: true,
  names: null,
} as const satisfies Partial<SessionSettings>;

/** A model ready to run; feeds are checked for presence, type and shape before the engine sees them. */
export type RuntimeSession = {
  readonly inputs: readonly ValueSpec[];
  readonly outputs: readonly ValueSpec[];
  /** What FP32 operations are computed in, read back from the engine: a processor may not have what was asked for. */
  readonly inference: InferencePrecision;
  /** Inside one operator; fewer than were asked for where OpenVINO found fewer processors. */
  readonly threads: number;
  /** Whether it was opened from what an earlier session had kept in `cacheFolder`, read back from the engine. */
  readonly isFromCache: boolean;
  /**
   * Runs once; only tensor outputs are asked for and returned. The engine reads right from the memory of the feeds, which
   * must be left as it is until this is done: neither written nor transferred.
   */
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
