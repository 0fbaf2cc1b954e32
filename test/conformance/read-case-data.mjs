// The stored inputs and outputs of a case.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTensorFile } from '../../dist/onnx/read-tensor.js';

/**
 * Reads one set of data; what is no tensor (a sequence, an optional) cannot be fed and has no tensor.
 * @param {string} folder - With `input_N.pb` and `output_N.pb`.
 * @param {import('onnx-proto').onnx.IGraphProto} graph - Of the model: N counts its inputs without those that have a value
 *   stored in the model, and its outputs.
 * @returns {Promise<{ inputs: object, outputs: object, unreadable: string[] }>} Tensors by name, and inputs without one.
 */
export async function readCaseData(folder, graph) {
  const stored = new Set((graph.initializer ?? []).map(({ name }) => name));
  const inputNames = (graph.input ?? []).map(({ name }) => name).filter((name) => !stored.has(name));
  const outputNames = (graph.output ?? []).map(({ name }) => name);
  const inputs = await readTensors(folder, 'input', inputNames, isTensor(graph.input));
  const outputs = await readTensors(folder, 'output', outputNames, isTensor(graph.output));
  return { inputs: inputs.found, outputs: outputs.found, unreadable: inputs.unreadable };
}

function isTensor(declared) {
  const names = new Set((declared ?? []).filter(({ type }) => type?.tensorType).map(({ name }) => name));
  return (name) => names.has(name);
}

async function readTensors(folder, role, names, isTensorNamed) {
  const found = {};
  const unreadable = [];
  for (const [index, name] of names.entries()) {
    const path = join(folder, `${role}_${index}.pb`);
    if (!existsSync(path)) continue;
    const tensor = isTensorNamed(name) ? await readTensorFile(path).catch(() => undefined) : undefined;
    if (tensor === undefined) unreadable.push(name);
    else found[name] = tensor;
  }
  return { found, unreadable };
}
