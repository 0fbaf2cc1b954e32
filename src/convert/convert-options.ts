import type { Fp32Rule, KeepRule } from '../lib/fp32-rules.js';
import type { Engine, InferencePrecision, Layout, Precision, Variant } from '../lib/variant.js';
import type { Finding } from '../messages/finding.js';
import type { ArtifactRecord } from '../store/artifact-record.js';

export { type Fp32Rule, fp32Rules, type KeepRule } from '../lib/fp32-rules.js';

/**
 * Why a node computes in FP32: a rule, the user's wish, or a fact that no option changes — a slot of the operator that
 * takes no FP16, an operator we do not know, a function of the model's own, or values shared with such nodes.
 */
export type NodeReason =
  | Fp32Rule
  | 'kept-by-user'
  | 'fp32-only-slot'
  | 'unknown-operator'
  | 'function'
  | 'shared-value';

/** What to convert, how, and where to. */
export type ConvertOptions = {
  /** The source `.onnx` file. */
  readonly model: string;
  readonly precision: Precision;
  readonly layout: Layout;
  readonly engine: Engine;
  /** What FP32 operations may be computed in. */
  readonly inference: InferencePrecision;
  /** A folder for the artifact, or `FILE.onnx` for the bare model. */
  readonly out: string;
  /**
   * Smallest FP32 weight that is stored as FP16 with a Cast, bytes as FP32; 0 for all. With `fp16` it decides only about
   * weights that FP32 nodes read: what FP16 nodes read alone needs no Cast and is FP16 at any size.
   */
  readonly minWeightBytes: number;
  /**
   * Largest relative error, ‖rounded − exact‖ / ‖exact‖ over a tensor, at which a weight that FP32 nodes read is stored
   * as FP16.
   */
  readonly maxWeightError: number;
  /** Type of the graph's FLOAT inputs and outputs: all `fp32` or `fp16`, or the names of those that become FP16. */
  readonly io: 'fp32' | 'fp16' | readonly string[];
  readonly keepFp32: readonly KeepRule[];
  readonly withoutRules: readonly Fp32Rule[];
  /** Whether the result is opened once in onnxruntime, in a process of its own, before it is put in place. */
  readonly loadCheck: boolean;
  /** SHA-256 of the source where somebody has computed it already; null leaves it out of the record. */
  readonly sourceSha256: string | null;
};

/** Why a weight was left as it is. */
export type KeptReason =
  | 'beyond FP16'
  | 'would become 0 in FP16'
  | 'would lose its digits in FP16'
  | 'read by nothing'
  | 'relative error above the limit'
  | 'opset below 6'
  | 'below the size threshold'
  | 'read as FP32 and too small for a Cast'
  | 'graph input'
  | 'graph output'
  | 'needs all its digits'
  | 'quantisation scale'
  | 'read by the training graph'
  | 'kept by the user'
  // What OpenVINO decides for an IR: 75 % of its numbers or more have no place in FP16; shapes are computed from it.
  | 'mostly outside FP16'
  | 'its precision matters to OpenVINO';

/** A weight that stays FP32. */
type KeptWeight = {
  readonly name: string;
  readonly scope: string;
  readonly reason: KeptReason;
  readonly sizeBytes: number;
};

/** What became of the FP32 weights. */
export type WeightTotals = {
  readonly storedAsFp16: number;
  /** Bytes they take as FP16. */
  readonly fp16Bytes: number;
  /** Of those, tensors that FP16 holds exactly; when all are, the conversion of the weights is lossless. */
  readonly losslessTensors: number;
  /** Numbers in the stored tensors: all, those that became 0, those that FP16 holds with fewer digits (subnormal). */
  readonly values: number;
  readonly vanishedValues: number;
  readonly subnormalValues: number;
  /** Finite numbers beyond FP16 in the tensors that were kept FP32 for them. */
  readonly overflowingValues: number;
  /** Of the numbers in the stored tensors, those beyond FP16, infinite or NaN that became ±65504; OpenVINO does that. */
  readonly clampedValues: number;
  /** Largest ‖rounded − exact‖ / ‖exact‖ of a stored tensor. */
  readonly maxRelativeError: number;
  readonly keptFp32: readonly KeptWeight[];
};

/** Nodes that compute in FP32 for one reason. */
export type KeptNodes = {
  readonly reason: NodeReason;
  readonly count: number;
  /** Up to 5 of them, `Type` or `Type 'name'`, with their scope where it is not the main graph. */
  readonly examples: readonly string[];
};

/** What became of the nodes. */
export type NodeTotals = {
  /** Of the source, all scopes. */
  readonly total: number;
  /** Nodes with a FLOAT input or output that the slots of their operator allow in FP16. */
  readonly allowed: number;
  /** Of those, nodes that compute in FP16 now. */
  readonly fp16: number;
  /** The others with a FLOAT input or output, by reason. */
  readonly keptFp32: readonly KeptNodes[];
};

/** What a conversion made. */
export type ConvertResult = {
  /** With the layout that was written: what does not fit into one file becomes `external`. */
  readonly variant: Variant;
  readonly out: string;
  /** Null for a bare model file. */
  readonly record: ArtifactRecord | null;
  /** The source with its data files, bytes. */
  readonly sourceSizeBytes: number;
  /** All files that were written but `artifact.json`, bytes. */
  readonly sizeBytes: number;
  readonly weights: WeightTotals;
  readonly nodes: NodeTotals;
  readonly castsAdded: number;
  /** What became of the attempt to open the result; `not-judged` when the source cannot be opened either. */
  readonly loadCheck: 'opened' | 'left-out' | 'not-judged';
  readonly findings: readonly Finding[];
};

/** What the conversion to one kind of file says of it. */
export type MadeModel = Omit<ConvertResult, 'out' | 'sourceSizeBytes'>;
