import { edit } from '../../onnx/edit-message.js';
import {
  dataTypes,
  type GraphProto,
  type NodeProto,
  type TensorProto,
  type ValueInfoProto,
} from '../../onnx/proto.js';
import { withContent } from '../../onnx/tensor-content.js';
import { isFloat, type ValueScope } from '../plan/value-graph.js';
import type { Changes } from './apply-forms.js';
import { halfContent } from './half-content.js';

/**
 * Writes forms into the tensors and declarations of a graph.
 *
 * @param graph - The main graph or a body.
 * @param scope - Its values.
 * @param nodes - Its nodes; undefined when they stay.
 * @param changes - What to do.
 * @returns The edited graph; the very same one when nothing changes.
 */
export function applyToGraph(
  graph: GraphProto,
  scope: ValueScope,
  nodes: NodeProto[] | undefined,
  changes: Changes,
): GraphProto {
  const declare = (info: ValueInfoProto): ValueInfoProto | undefined => retypeInfo(info, scope, changes);
  const initializer = changed(graph.initializer ?? [], (tensor) => editTensor(tensor, scope, changes));
  const input = changed(graph.input ?? [], declare);
  const output = changed(graph.output ?? [], (info, index) =>
    renameForeign(declare(info), index, scope, changes),
  );
  const valueInfo = changed(graph.valueInfo ?? [], declare);
  if (![nodes, initializer, input, output, valueInfo].some((list) => list !== undefined)) return graph;
  return edit(graph, {
    ...(nodes && { node: nodes }),
    ...(initializer && { initializer }),
    ...(input && { input }),
    ...(output && { output }),
    ...(valueInfo && { valueInfo }),
  });
}

/** Undefined when all items stay; an item for which there is nothing any more is left out. */
function changed<T>(items: readonly T[], change: (item: T, index: number) => T | undefined): T[] | undefined {
  const edited = items.map(change);
  return edited.every((item, index) => item === items[index])
    ? undefined
    : edited.filter((item): item is NonNullable<typeof item> => item !== undefined);
}

function editTensor(
  tensor: TensorProto,
  scope: ValueScope,
  { forms, weights, tied }: Changes,
): TensorProto | undefined {
  const value = scope.values.get(tensor.name ?? '');
  const found = value && forms.get(value);
  if (value === undefined || found === undefined || value.tensor !== tensor) return tensor;
  if (tied.has(value)) return undefined;
  const name = found.names[found.stored];
  const weight = weights.get(value);
  if (found.stored === 'half' && weight !== undefined) {
    const half = withContent(tensor, dataTypes.float16, halfContent(weight));
    return name === tensor.name ? half : edit(half, { name });
  }
  return name === tensor.name ? tensor : edit(tensor, { name });
}

/** A declaration speaks of the form that has the name; that of a tensor which another stands for goes with it. */
function retypeInfo(
  info: ValueInfoProto,
  scope: ValueScope,
  { forms, tied }: Changes,
): ValueInfoProto | undefined {
  const value = scope.values.get(info.name ?? '');
  const tensorType = info.type?.tensorType;
  const found = isFloat(value) ? forms.get(value) : undefined;
  if (value !== undefined && tied.has(value)) return undefined;
  if (found === undefined || !tensorType) return info;
  const isHalf = found.hasCast ? found.names.half === info.name : found.stored === 'half';
  if (!isHalf || tensorType.elemType === dataTypes.float16) return info;
  const retyped = edit(tensorType, { elemType: dataTypes.float16 });
  return edit(info, { type: edit(info.type ?? {}, { tensorType: retyped }) });
}

/** A body that gives out what lives outside of it gives the FP32 form, which may have another name there. */
function renameForeign(
  info: ValueInfoProto | undefined,
  index: number,
  scope: ValueScope,
  { forms }: Changes,
): ValueInfoProto | undefined {
  const value = scope.outputs[index];
  if (info === undefined || value === undefined || value.scope === scope) return info;
  const name = forms.get(value)?.names.float;
  return name === undefined || name === info.name ? info : edit(info, { name });
}
