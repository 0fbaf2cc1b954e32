import { floatToHalf } from '../half/half-numbers.js';
import { makeCast, makeTensorAttribute, makeTypeAttribute } from '../onnx/build-node.js';
import type { TypeScope } from '../onnx/infer-types.js';
import { dataTypes, type NodeProto } from '../onnx/proto.js';
import type { UniqueNames } from '../onnx/unique-names.js';
import type { NodePlan } from './half-plan.js';
import { numberOf } from './plan-cast.js';
import { type Demand, noDemand } from './value-forms.js';

/** The names under which the forms of a value are found. */
type Forms = { readonly half: string; readonly float: string; readonly stored: string };

/** What applying a plan needs and collects. */
export type HalfGraph = {
  readonly types: TypeScope;
  readonly names: UniqueNames;
  readonly demands: ReadonlyMap<string, Demand>;
  readonly nodes: NodeProto[];
  readonly forms: Map<string, Forms>;
  /** Values that are FP16 under their own name now. */
  readonly halfNames: Set<string>;
  castsAdded: number;
};

/**
 * Writes the nodes of a plan: inputs are renamed to the form each node wants, and a Cast follows the producer of each
 * value that is read in its other form.
 *
 * @param plans - In dependency order.
 * @param graph - Takes the new nodes; the forms of graph inputs and stored tensors are in it already.
 */
export function applyHalfPlan(plans: readonly NodePlan[], graph: HalfGraph): void {
  for (const plan of plans) {
    const { node } = plan;
    node.input = (node.input ?? []).map((name, index) => formOf(graph, name, plan.wants[index] ?? 'float'));
    if (plan.retype === 'cast-to') retypeCast(node);
    if (plan.retype === 'like-to-cast') likeToCast(node);
    if (plan.retype === 'shape-value') retypeShapeValue(node);
    graph.nodes.push(node);
    node.output = (node.output ?? []).map((name, index) => {
      if (name === '' || graph.types.get(name) !== 'float32') return name;
      return addForms(graph, name, plan.givesHalf[index] === true ? 'half' : 'float');
    });
  }
}

function formOf(graph: HalfGraph, name: string, want: keyof Forms): string {
  return graph.forms.get(name)?.[want] ?? name;
}

/**
 * Names the forms of a value and adds the Cast that makes the form it is not stored in, when that one is read.
 *
 * @param graph - Takes the forms and the Cast.
 * @param name - The value.
 * @param storedAs - The form that its producer gives.
 * @returns The name that its producer must give it.
 */
export function addForms(graph: HalfGraph, name: string, storedAs: 'half' | 'float'): string {
  const demand = graph.demands.get(name) ?? noDemand;
  const other = storedAs === 'half' ? 'float' : 'half';
  if (!demand[other]) {
    graph.forms.set(name, { half: name, float: name, stored: name });
    if (storedAs === 'half') graph.halfNames.add(name);
    return name;
  }
  const takesName = storedAs === 'half' && demand.ownName ? 'float' : storedAs;
  const renamed = graph.names.reserve(takesName === 'float' ? `${name}_fp16` : `${name}_fp32`);
  const half = takesName === 'float' ? renamed : name;
  const float = takesName === 'float' ? name : renamed;
  const stored = storedAs === 'half' ? half : float;
  graph.forms.set(name, { half, float, stored });
  if (half === name) graph.halfNames.add(name);
  const type = storedAs === 'half' ? dataTypes.float : dataTypes.float16;
  graph.nodes.push(makeCast(stored, storedAs === 'half' ? float : half, type));
  graph.castsAdded += 1;
  return stored;
}

function retypeCast(node: NodeProto): void {
  const others = (node.attribute ?? []).filter((attribute) => attribute.name !== 'to');
  node.attribute = [makeTypeAttribute(dataTypes.float16), ...others];
}

/** onnxruntime 1.30 refuses some CastLike nodes between FP16 values; the type it would take is known here. */
function likeToCast(node: NodeProto): void {
  const [input = ''] = node.input ?? [];
  const cast = makeCast(input, node.output?.[0] ?? '', dataTypes.float16);
  Object.assign(node, { opType: cast.opType, input: cast.input, attribute: cast.attribute });
}

function retypeShapeValue(node: NodeProto): void {
  const old = node.attribute?.find((attribute) => attribute.name === 'value');
  const half = floatToHalf(numberOf(old?.t));
  const rawData = Uint8Array.of(half & 0xff, half >> 8);
  const value = makeTensorAttribute('value', { dims: [1], dataType: dataTypes.float16, rawData });
  node.attribute = [...(node.attribute ?? []).filter((attribute) => attribute !== old), value];
}
