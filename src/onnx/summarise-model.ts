import type { ValueSpec } from '../lib/tensor.js';
import { dataTypeOf } from './element-type.js';
import { type ExternalFile, externalFilesOf } from './external-files.js';
import { listScopes, listTensors, normaliseDomain, type Scope, type TensorPlace } from './graph-walk.js';
import { dataTypes } from './proto.js';
import { type OnnxModel, readModel } from './read-model.js';
import type { UnknownField } from './scan-fields.js';
import { elementCount, findPayload } from './tensor-payload.js';
import { modelInputs, modelOutputs } from './value-specs.js';

/** How often an operator is called, in all scopes. */
type OperatorCount = { readonly type: string; readonly domain: string; readonly count: number };

/** One stored tensor. */
type StoredTensor = {
  readonly name: string;
  readonly scope: string;
  readonly role: TensorPlace['role'];
  /** ONNX's name, such as `float` or `int64`. */
  readonly type: string;
  readonly dims: readonly number[];
  readonly sizeBytes: number;
};

/** Stored tensors of one element type together. */
type TypeTotal = {
  readonly type: string;
  readonly tensorCount: number;
  /** Elements. */
  readonly parameters: number;
  readonly sizeBytes: number;
};

/** What is inside a model. */
export type ModelSummary = {
  readonly path: string;
  readonly sizeBytes: number;
  readonly irVersion: number;
  readonly producer: string;
  readonly opsets: readonly { readonly domain: string; readonly version: number }[];
  readonly inputs: readonly ValueSpec[];
  readonly outputs: readonly ValueSpec[];
  readonly scopeCount: number;
  readonly nodeCount: number;
  /** Most used first. */
  readonly operators: readonly OperatorCount[];
  /** Initializers and tensors in attributes, all scopes; most bytes first. */
  readonly weights: readonly TypeTotal[];
  readonly largestTensors: readonly StoredTensor[];
  readonly externalFiles: readonly ExternalFile[];
  readonly unknownFields: readonly UnknownField[];
  /** All files now, and what about they would take with FP32 weights of ≥ 1 KiB, or all, stored as FP16; bytes. */
  readonly estimates: {
    readonly fp32Bytes: number;
    readonly fp16WeightsBytes: number;
    readonly fp16Bytes: number;
  };
};

/**
 * Reads a model and says what is inside.
 *
 * @param path - The `.onnx` file.
 * @returns The summary; sizes in bytes.
 * @throws Whatever {@link readModel} throws, `tensor-wrong`, `external-data-refused`.
 */
export async function summariseModel(path: string): Promise<ModelSummary> {
  const model = await readModel(path);
  const scopes = listScopes(model.model);
  const tensors = await listStoredTensors(model, scopes);
  const externalFiles = await externalFilesOf(model);
  const { producerName, producerVersion } = model.model;
  return {
    path,
    sizeBytes: model.sizeBytes,
    irVersion: Number(model.model.irVersion),
    producer: [producerName, producerVersion].filter(Boolean).join(' '),
    opsets: (model.model.opsetImport ?? []).map((entry) => ({
      domain: entry.domain ?? '',
      version: Number(entry.version ?? 0),
    })),
    inputs: modelInputs(model),
    outputs: modelOutputs(model),
    scopeCount: scopes.length,
    nodeCount: scopes.reduce((sum, scope) => sum + scope.nodes.length, 0),
    operators: countOperators(scopes),
    weights: totalByType(tensors),
    largestTensors: [...tensors].sort((left, right) => right.sizeBytes - left.sizeBytes).slice(0, 10),
    externalFiles,
    unknownFields: model.unknownFields,
    estimates: estimate(model, externalFiles, tensors),
  };
}

async function listStoredTensors(model: OnnxModel, scopes: readonly Scope[]): Promise<StoredTensor[]> {
  const stored: StoredTensor[] = [];
  for (const { tensor, scope, label, role } of scopes.flatMap(listTensors)) {
    const payload = await findPayload(model.path, tensor, label);
    const texts = (tensor.stringData ?? []).reduce((sum, text) => sum + text.length, 0);
    stored.push({
      name: label,
      scope: scope.path,
      role,
      type: dataTypeOf(tensor.dataType)?.onnxName ?? `type ${tensor.dataType ?? 0}`,
      dims: (tensor.dims ?? []).map(Number),
      sizeBytes: payload?.sizeBytes ?? texts,
    });
  }
  return stored;
}

function countOperators(scopes: readonly Scope[]): OperatorCount[] {
  const counts = new Map<string, OperatorCount>();
  for (const node of scopes.flatMap((scope) => scope.nodes)) {
    const domain = normaliseDomain(node.domain);
    const type = node.opType ?? '';
    const key = `${domain}:${type}`;
    counts.set(key, { type, domain, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort(
    (left, right) => right.count - left.count || (left.type < right.type ? -1 : 1),
  );
}

function totalByType(tensors: readonly StoredTensor[]): TypeTotal[] {
  const totals = new Map<string, TypeTotal>();
  for (const { type, dims, sizeBytes } of tensors) {
    const known = totals.get(type) ?? { type, tensorCount: 0, parameters: 0, sizeBytes: 0 };
    const parameters = known.parameters + elementCount({ dims: [...dims] });
    const tensorCount = known.tensorCount + 1;
    totals.set(type, { type, tensorCount, parameters, sizeBytes: known.sizeBytes + sizeBytes });
  }
  return [...totals.values()].sort((left, right) => right.sizeBytes - left.sizeBytes);
}

function estimate(
  model: OnnxModel,
  files: readonly ExternalFile[],
  tensors: readonly StoredTensor[],
): ModelSummary['estimates'] {
  const fp32Bytes = model.sizeBytes + files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const floatName = dataTypeOf(dataTypes.float)?.onnxName;
  const saved = (leastBytes: number): number =>
    tensors
      .filter(
        ({ type, role, sizeBytes }) => type === floatName && role !== 'sparse' && sizeBytes >= leastBytes,
      )
      .reduce((sum, { sizeBytes }) => sum + sizeBytes / 2, 0);
  return { fp32Bytes, fp16WeightsBytes: fp32Bytes - saved(1024), fp16Bytes: fp32Bytes - saved(0) };
}
