import type { Scope } from '../../onnx/graph-walk.js';
import type { Signature } from '../../onnx/operator-signature.js';
import type { NodeProto, TensorProto } from '../../onnx/proto.js';
import type { ValueType } from '../../onnx/value-type.js';

/**
 * Numbers that FP16 cannot carry: integers beyond 2048, values that it takes for 0, values beyond 65504, and those that
 * may get there in a sum of squares or exponentials.
 */
export type Mark = 'none' | 'count' | 'tiny' | 'grown' | 'wide';

/** The element type that an FP32 value is held in once the model is converted. */
export type Form = 'half' | 'float';

/** One value of a model: it has one name, in one scope, and one producer. */
export type Value = {
  readonly name: string;
  readonly scope: ValueScope;
  /** As computed from the inputs on. */
  readonly type: ValueType;
  readonly origin: 'input' | 'initializer' | 'sparse' | 'node';
  /** The node that gives it. */
  readonly producer: ValueNode | undefined;
  /** The stored tensor of an initializer, or of a Constant's `value`. */
  readonly tensor: TensorProto | undefined;
  /** Whether its numbers are known before the model runs; found while planning. */
  isConstant: boolean;
  mark: Mark;
  /** It must keep all its digits. */
  isExact: boolean;
  /** Values that must be held in one form with it, as the carried values of a Loop are. */
  group: ValueGroup | undefined;
};

/** Values that are held in one form: what goes round a Loop, what the branches of an If give. */
export type ValueGroup = {
  /** The group this one was joined to. */
  joined: ValueGroup | undefined;
  members: Value[];
  /** What makes it FP32; undefined while it may be FP16. */
  barred: boolean;
};

/** A node with its values in place of their names. */
export type ValueNode = {
  readonly node: NodeProto;
  readonly scope: ValueScope;
  /**
   * `operator`: known, with a signature. `control`: If, Loop or Scan, whose bodies are looked into. `constant`: a stored
   * tensor. `opaque`: everything else, which reads and gives FP32.
   */
  readonly kind: 'operator' | 'control' | 'constant' | 'opaque';
  readonly signature: Signature | undefined;
  /** Whether it calls a function of the model's own. */
  readonly isCall: boolean;
  /** Undefined where an input is left out or its name has no value. */
  readonly inputs: readonly (Value | undefined)[];
  readonly outputs: readonly (Value | undefined)[];
  readonly bodies: ValueScope[];
};

/** A scope with its values; nodes are in dependency order. */
export type ValueScope = {
  readonly scope: Scope;
  /** `main`, `body` of If, Loop or Scan; `sealed`: functions and bodies of other nodes, where nodes stay as they are. */
  readonly kind: 'main' | 'body' | 'sealed';
  readonly parent: ValueScope | undefined;
  /** The node whose body this is. */
  readonly host: ValueNode | undefined;
  readonly values: ReadonlyMap<string, Value>;
  readonly nodes: readonly ValueNode[];
  /** By position; undefined where the name has no value. */
  readonly inputs: readonly (Value | undefined)[];
  readonly outputs: readonly (Value | undefined)[];
};

/** All scopes of a model with their values. */
export type ValueGraph = {
  /** Outer before inner: the main graph with its bodies, then functions with theirs. Training graphs are left out. */
  readonly scopes: readonly ValueScope[];
  readonly main: ValueScope | undefined;
};

/**
 * Tells whether a value is an FP32 tensor.
 *
 * @param value - The value, if there is one.
 * @returns True for FLOAT.
 */
export function isFloat(value: Value | undefined): value is Value {
  return value?.type === 'float32';
}

/**
 * Finds the group that a value belongs to, through all groups that were joined.
 *
 * @param value - The value.
 * @returns Its group, if it has one.
 */
export function groupOf(value: Value): ValueGroup | undefined {
  let group = value.group;
  while (group?.joined !== undefined) group = group.joined;
  return group;
}
