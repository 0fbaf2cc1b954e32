import { OptimiseModelError } from '../../messages/error.js';
import { listScopes } from '../../onnx/graph-walk.js';
import type { ModelProto } from '../../onnx/proto.js';
import type { ConvertOptions } from '../convert-options.js';
import { type Form, isFloat, type Value, type ValueGraph } from '../plan/value-graph.js';
import type { DeclaredForms } from './demand.js';

/**
 * Decides the type of each FP32 input and output of the main graph.
 *
 * @param graph - The model.
 * @param io - What the user wants: all `fp32`, all `fp16`, or the names of those that become FP16.
 * @param path - The model, for the error.
 * @returns The forms; FP32 also for what a training graph reads, since training changes it by its name.
 * @throws `io-name-unknown` for a name that is no FLOAT or FLOAT16 input or output.
 */
export function declareForms(
  { main }: ValueGraph,
  {
    io,
    trained,
    path,
  }: Pick<ConvertOptions, 'io'> & { readonly trained: ReadonlySet<string>; readonly path: string },
): DeclaredForms {
  const declared = new Map<Value, Form>();
  const boundary = [...(main?.inputs ?? []), ...(main?.outputs ?? [])];
  if (typeof io !== 'string') refuseUnknown(io, boundary, path);
  for (const value of boundary.filter(isFloat)) {
    const isHalf = io === 'fp16' || (io !== 'fp32' && io.includes(value.name));
    declared.set(value, isHalf ? 'half' : 'float');
  }
  for (const name of trained) {
    const value = main?.values.get(name);
    if (isFloat(value) && !declared.has(value)) declared.set(value, 'float');
  }
  return declared;
}

function refuseUnknown(
  wanted: readonly string[],
  boundary: readonly (Value | undefined)[],
  path: string,
): void {
  const known = [...new Set(boundary.filter(isFloat).map(({ name }) => name))];
  // A model that was converted so before has them in FP16 already.
  const done = new Set(boundary.flatMap((value) => (value?.type === 'float16' ? [value.name] : [])));
  const unknown = wanted.filter((name) => !known.includes(name) && !done.has(name));
  if (unknown.length > 0) throw OptimiseModelError.of('io-name-unknown', { path, unknown, known });
}

/**
 * Collects all names that training graphs and their bindings mention.
 *
 * @param model - The model.
 * @returns Names; empty without training information.
 */
export function namesInTraining(model: ModelProto): ReadonlySet<string> {
  const names = new Set<string>();
  for (const scope of listScopes(model).filter(({ path }) => path.startsWith('training['))) {
    for (const node of scope.nodes) for (const name of node.input ?? []) names.add(name);
    for (const { name } of scope.graph?.output ?? []) names.add(name ?? '');
  }
  for (const { initializationBinding, updateBinding } of model.trainingInfo ?? []) {
    for (const { key } of [...(initializationBinding ?? []), ...(updateBinding ?? [])]) names.add(key ?? '');
  }
  return names;
}
