import { findAttribute, makeTensorAttribute, makeTypeAttribute } from '../../onnx/build-node.js';
import { edit } from '../../onnx/edit-message.js';
import { dataTypeCode } from '../../onnx/element-type.js';
import {
  type AttributeProto,
  dataTypes,
  type GraphProto,
  type NodeProto,
  type TensorProto,
} from '../../onnx/proto.js';
import { withContent } from '../../onnx/tensor-content.js';
import { attributeNumbers } from '../plan/constant-marks.js';
import type { Want } from '../plan/node-decision.js';
import { numberOf } from '../plan/plan-cast.js';
import { isFloat, type Value, type ValueNode } from '../plan/value-graph.js';
import type { Changes } from './apply-forms.js';
import { halfContent, halfTensor } from './half-content.js';

/**
 * Writes forms into a node.
 *
 * @param linked - The node with its values.
 * @param changes - What to do.
 * @param editBody - Writes forms into a body of it.
 * @returns The edited node; the very same one when nothing changes.
 */
export function applyToNode(
  linked: ValueNode,
  changes: Changes,
  editBody: (body: GraphProto) => GraphProto,
): NodeProto {
  const { node } = linked;
  const decision = changes.decisions.get(linked);
  const input = renameAll(node.input ?? [], linked.inputs, (value, index) =>
    nameOf(value, decision?.wants[index] ?? 'float', changes),
  );
  const output = renameAll(node.output ?? [], linked.outputs, (value) => nameOf(value, 'stored', changes));
  const attribute = editAttributes(linked, changes, editBody);
  const names = { ...(input && { input }), ...(output && { output }) };
  if (isLikeBroken(linked, changes)) return likeToCast(linked, changes, names);
  if (input === undefined && output === undefined && attribute === undefined) return node;
  return edit(node, { ...names, ...(attribute && { attribute }) });
}

function nameOf(value: Value, want: Want, { forms }: Changes): string {
  const found = forms.get(value);
  if (found === undefined) return value.name;
  return found.names[want === 'stored' ? found.stored : want];
}

/** Undefined when all names stay. */
function renameAll(
  names: readonly string[],
  values: readonly (Value | undefined)[],
  rename: (value: Value, index: number) => string,
): string[] | undefined {
  const renamed = names.map((name, index) => {
    const value = values[index];
    return isFloat(value) ? rename(value, index) : name;
  });
  return renamed.every((name, index) => name === names[index]) ? undefined : renamed;
}

function editAttributes(
  linked: ValueNode,
  changes: Changes,
  editBody: (body: GraphProto) => GraphProto,
): AttributeProto[] | undefined {
  const { node, outputs } = linked;
  const old = node.attribute ?? [];
  const isHalf = outputs.some((value) => isFloat(value) && changes.forms.get(value)?.stored === 'half');
  const retyped = isHalf ? retype(linked, changes) : old;
  const edited = retyped.map((attribute) => editBodies(attribute, editBody));
  return edited.length === old.length && edited.every((attribute, index) => attribute === old[index])
    ? undefined
    : edited;
}

function editBodies(attribute: AttributeProto, editBody: (body: GraphProto) => GraphProto): AttributeProto {
  const g = attribute.g ? editBody(attribute.g) : attribute.g;
  const graphs = (attribute.graphs ?? []).map(editBody);
  const isSame = g === attribute.g && graphs.every((graph, index) => graph === attribute.graphs?.[index]);
  return isSame ? attribute : edit(attribute, { g: g ?? null, graphs });
}

function retype(linked: ValueNode, changes: Changes): AttributeProto[] {
  const { node } = linked;
  const old = node.attribute ?? [];
  if (linked.kind === 'constant') return old.map((attribute) => retypeConstant(attribute, linked, changes));
  const how = changes.decisions.get(linked)?.retype ?? 'none';
  if (how === 'none' || how === 'like-to-cast') return old;
  const kept = findAttribute(node, how === 'shape-value' ? 'value' : how.attribute);
  const made =
    how === 'shape-value'
      ? makeTensorAttribute('value', shapeValue(kept?.t))
      : makeTypeAttribute(dataTypes.float16, how.attribute);
  return kept === undefined
    ? [...old, made]
    : old.map((attribute) => (attribute === kept ? edit(attribute, made) : attribute));
}

function retypeConstant(attribute: AttributeProto, linked: ValueNode, { weights }: Changes): AttributeProto {
  const [value] = linked.outputs;
  const weight = value && weights.get(value);
  if (weight !== undefined && attribute.t && attribute.t === weight.tensor) {
    return edit(attribute, { t: withContent(attribute.t, dataTypes.float16, halfContent(weight)) });
  }
  const numbers = attributeNumbers(linked.node);
  if (numbers === undefined || attribute !== linked.node.attribute?.[0]) return attribute;
  const dims = attribute.name === 'value_float' ? [] : [numbers.length];
  const made = makeTensorAttribute('value', halfTensor(numbers, dims));
  return edit(attribute, { f: null, floats: [], ...made });
}

function shapeValue(tensor: TensorProto | null | undefined): TensorProto {
  const made = halfTensor([numberOf(tensor) ?? 0], [1]);
  if (!tensor) return made;
  return withContent(tensor, dataTypes.float16, { kind: 'bytes', bytes: made.rawData ?? new Uint8Array() });
}

/**
 * A CastLike gives the type of its second input: where that or its own type changes, it becomes a Cast, whose type is
 * known here. onnxruntime 1.30 also refuses some CastLike nodes between FP16 values.
 */
function isLikeBroken(linked: ValueNode, { decisions, forms }: Changes): boolean {
  const wants = decisions.get(linked)?.wants;
  const type = linked.outputs[0]?.type ?? 'unknown';
  if (linked.node.opType !== 'CastLike' || wants === undefined) return false;
  if (type === 'unknown' || type === 'other') return false;
  const isHalf = (value: Value | undefined): boolean =>
    value !== undefined && forms.get(value)?.stored === 'half';
  const isRead = linked.inputs.some((value, index) => wants[index] !== 'float' && isHalf(value));
  return isRead || linked.outputs.some(isHalf);
}

function likeToCast(
  linked: ValueNode,
  { forms }: Changes,
  names: Partial<Pick<NodeProto, 'input' | 'output'>>,
): NodeProto {
  const { node, outputs } = linked;
  const [output] = outputs;
  const type = output?.type ?? 'unknown';
  const gives = output !== undefined && forms.get(output)?.stored === 'half';
  const [first = ''] = names.input ?? node.input ?? [];
  const code = gives || type === 'unknown' || type === 'other' ? dataTypes.float16 : dataTypeCode(type);
  return edit(node, { ...names, opType: 'Cast', input: [first], attribute: [makeTypeAttribute(code)] });
}
