import type { NodeProto } from '../onnx/proto.js';

/** How a node wants to read an input: as FP16, as FP32, or as it is stored. */
export type Want = 'half' | 'float' | 'stored';

/** What becomes of one node of the main graph. */
export type NodePlan = {
  readonly node: NodeProto;
  /** By input position. */
  readonly wants: readonly Want[];
  /** By output position: whether the node gives FP16 where it gave FP32. */
  readonly givesHalf: readonly boolean[];
  /** An attribute that must say FP16 as well. */
  readonly retype: 'none' | 'cast-to' | 'like-to-cast' | 'shape-value';
};

/** Numbers that FP16 cannot carry: integers beyond 2048, values that it takes for 0, values beyond 65504. */
export type Mark = 'none' | 'count' | 'tiny' | 'wide';

/** What is known of an FP32 value before its consumers are planned. */
export type ValueFacts = {
  /** Whether its numbers are known before the model runs. */
  readonly isConstant: boolean;
  readonly mark: Mark;
};
