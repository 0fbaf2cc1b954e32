import type { Delivery } from '../lib/delivery.js';
import type { NamedTensors, ValueSpec } from '../lib/tensor.js';
import type { InferencePrecision, Variant } from '../lib/variant.js';
import type { MeasuredPhases } from './phase-clock.js';

/** A model as a handler uses it. With delivery `lazy` the first of the asynchronous calls loads it. */
export type OpenedModel = {
  readonly delivery: Delivery;
  /** Null until a lazy model has read its record, and for a bare model file, which has none; after a failure that of the last try. */
  readonly variant: Variant | null;
  /** The release that named the artifact; null when it was opened by itself or is not loaded yet. */
  readonly release: string | null;
  /**
   * Threads inside one operator, of OpenVINO as it says: it has no more than there are processors. Null until there is a
   * session.
   */
  readonly threads: number | null;
  /**
   * What FP32 operations are computed in, as the engine says: a processor without bf16 or f16 computes in `f32`, whatever
   * the variant asks for. Null until there is a session.
   */
  readonly inference: InferencePrecision | null;
  /**
   * Where the time of the cold start went, in milliseconds; null for what has not happened yet, and `startMs` for all but
   * the first model of a process, opened while that starts.
   */
  readonly phases: MeasuredPhases;
  /** @returns What the model takes. */
  readonly inputs: () => Promise<readonly ValueSpec[]>;
  /** @returns What the model gives. */
  readonly outputs: () => Promise<readonly ValueSpec[]>;
  /** @returns The engine's own session object, such as onnxruntime's `InferenceSession`. */
  readonly native: () => Promise<unknown>;
  /**
   * Runs the model once.
   *
   * @param feeds - One tensor per input; the engine reads right from its memory, so neither write nor transfer it before
   *   this is done.
   * @returns One tensor per output that is a tensor.
   * @throws `feed-wrong`, `runtime-run-failed`, `model-closed`; when lazy also what loading throws: the next call
   *   tries again.
   */
  readonly run: (feeds: NamedTensors) => Promise<NamedTensors>;
  /**
   * To be called before a snapshot is taken of the process, such as by Lambda SnapStart: loads what a lazy model has not
   * loaded yet, and closes idle connections, which would be found dead when it is restored.
   *
   * @throws What loading throws; `model-closed`.
   */
  readonly beforeSnapshot: () => Promise<void>;
  /**
   * To be called when the process has been restored: drops what is left of connections and credentials, so that the next
   * request gets new ones. The cold start is logged once more, with `restored: true`, now or after the first inference.
   */
  readonly afterRestore: () => Promise<void>;
  /** Waits for runs that have begun, closes the session and removes what was downloaded; a second call does nothing. */
  readonly close: () => Promise<void>;
};
