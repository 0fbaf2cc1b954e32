import type { ValueSpec } from '../lib/tensor.js';
import { dataTypeOf } from './element-type.js';
import type { ModelProto, TypeProto, ValueInfoProto } from './proto.js';
import type { OnnxModel } from './read-model.js';

/**
 * Lists what a model must be fed: initializers that are inputs as well have a value already and are left out.
 *
 * @param model - The model.
 * @returns Its required inputs in declared order.
 */
export function modelInputs(model: Pick<OnnxModel, 'model'>): ValueSpec[] {
  const graph = model.model.graph;
  const stored = new Set((graph?.initializer ?? []).map((tensor) => tensor.name));
  return (graph?.input ?? []).filter((input) => !stored.has(input.name)).map(describeValue);
}

/**
 * Lists what a model gives.
 *
 * @param model - The model.
 * @returns Its outputs in declared order.
 */
export function modelOutputs(model: Pick<OnnxModel, 'model'>): ValueSpec[] {
  return (model.model.graph?.output ?? []).map(describeValue);
}

/**
 * Puts a declared value into our words.
 *
 * @param value - As the graph declares it.
 * @returns Its name, and its type and axes where it is a tensor.
 */
function describeValue(value: ValueInfoProto): ValueSpec {
  const name = value.name ?? '';
  const tensor = value.type?.tensorType;
  if (!tensor) return { name, isTensor: false, dims: [] };
  const type = dataTypeOf(tensor.elemType)?.name;
  return { name, isTensor: true, ...(type === undefined ? {} : { type }), dims: dimsOf(value.type) };
}

function dimsOf(type: TypeProto | null | undefined): (number | string)[] {
  return (type?.tensorType?.shape?.dim ?? []).map((dim) => {
    if (dim.dimParam) return dim.dimParam;
    const hasValue = Object.hasOwn(dim, 'dimValue') && dim.dimValue !== null && dim.dimValue !== undefined;
    return hasValue ? Number(dim.dimValue) : '?';
  });
}

/**
 * Finds the opset of the default domain.
 *
 * @param model - The model.
 * @returns The highest version that is imported; 0 when the domain is not imported.
 */
export function defaultOpset(model: ModelProto): number {
  const versions = (model.opsetImport ?? [])
    .filter((entry) => !entry.domain || entry.domain === 'ai.onnx')
    .map((entry) => Number(entry.version ?? 0));
  return Math.max(0, ...versions);
}
