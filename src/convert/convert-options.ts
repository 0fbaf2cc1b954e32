import type { Engine, Layout, Precision, Variant } from '../lib/variant.js';
import type { Finding } from '../messages/finding.js';
import type { ArtifactRecord } from '../store/artifact-record.js';
import type { KeptWeight } from './conversion.js';

/** What to convert, how, and where to. */
export type ConvertOptions = {
  /** The source `.onnx` file. */
  readonly model: string;
  readonly precision: Precision;
  readonly layout: Layout;
  readonly engine: Engine;
  /** A folder for the artifact, or `FILE.onnx` for the bare model. */
  readonly out: string;
  /**
   * Smallest FP32 weight that is stored as FP16 with a Cast, bytes as FP32; 0 for all. With `fp16` it decides only about
   * weights that FP32 nodes read: what FP16 nodes read alone needs no Cast and is FP16 at any size.
   */
  readonly minWeightBytes: number;
};

/** What became of the FP32 weights. */
export type WeightTotals = {
  readonly storedAsFp16: number;
  /** Bytes they take as FP16. */
  readonly fp16Bytes: number;
  /** Of those, tensors that FP16 holds exactly. */
  readonly lossless: number;
  readonly keptFp32: readonly KeptWeight[];
  /** Largest relative rounding error over all stored numbers that did not become 0; 1 when one did. */
  readonly maxRelativeError: number;
};

/** What a conversion made. */
export type ConvertResult = {
  readonly variant: Variant;
  readonly out: string;
  /** Null for a bare model file. */
  readonly record: ArtifactRecord | null;
  /** The source with its data files, bytes. */
  readonly sourceSizeBytes: number;
  /** All files that were written but `artifact.json`, bytes. */
  readonly sizeBytes: number;
  readonly weights: WeightTotals;
  readonly castsAdded: number;
  /** Nodes of the main graph that compute in FP16. */
  readonly nodesFp16: number;
  /** Nodes of the source, all scopes. */
  readonly nodesTotal: number;
  readonly findings: readonly Finding[];
};
