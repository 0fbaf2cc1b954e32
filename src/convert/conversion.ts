import type { Scope } from '../onnx/graph-walk.js';
import type { ModelProto } from '../onnx/proto.js';
import type { UniqueNames } from '../onnx/unique-names.js';
import type { StoredWeight, Weight } from './weight-store.js';

/** Why a weight was left as it is. */
export type KeptReason =
  | 'beyond FP16'
  | 'would become 0 in FP16'
  | 'opset below 6'
  | 'below the size threshold'
  | 'read as FP32 and too small for a Cast'
  | 'graph input'
  | 'graph output'
  | 'needs all its digits';

/** A weight that stays FP32. */
export type KeptWeight = {
  readonly name: string;
  readonly scope: string;
  readonly reason: KeptReason;
  readonly sizeBytes: number;
};

/** A model while it is converted, and what was done to it so far. */
export type Conversion = {
  readonly model: ModelProto;
  /** Outer before inner. */
  readonly scopes: readonly Scope[];
  readonly names: UniqueNames;
  readonly weights: ReadonlyMap<Scope, readonly Weight[]>;
  /** Values that must keep all their digits, by scope. */
  readonly exactValues: ReadonlyMap<Scope, ReadonlySet<string>>;
  readonly minWeightBytes: number;
  /** Why a smaller weight stays: an FP16 graph asks the size only of what FP32 nodes read. */
  readonly smallReason: KeptReason;
  readonly stored: StoredWeight[];
  readonly kept: (KeptWeight & { readonly overflowCount: number })[];
  castsAdded: number;
  nodesFp16: number;
};

/**
 * Replaces the nodes of a scope.
 *
 * @param scope - A scope of the model; its graph or function is changed in place.
 * @param nodes - The new nodes in dependency order.
 */
export function replaceNodes(scope: Scope, nodes: readonly ModelNode[]): void {
  if (scope.graph !== undefined) scope.graph.node = [...nodes];
  else if (scope.fn !== undefined) scope.fn.node = [...nodes];
}

type ModelNode = Scope['nodes'][number];
