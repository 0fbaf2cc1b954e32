import type { ValueSpec } from '../lib/tensor.js';
import { dataTypeOf } from './element-type.js';
import { type ExternalFile, externalFilesOf } from './external-files.js';
import { listScopes, listTensors, normaliseDomain, type Scope, type TensorPlace } from './graph-walk.js';
import { namePassedFields, type PassedField } from './newer-fields.js';
import { dataTypes } from './proto.js';
import { type OnnxModel, readModel } from './read-model.js';
import { storedAt } from './stored-payload.js';
import { elementCount, findPayload } from './tensor-payload.js';
import { modelInputs, modelOutputs } from './value-specs.js';

/** The size, in FP32 bytes, from which `fp16-weights` stores a weight as FP16 unless it is told otherwise. */
const castFromBytes = 1024;

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

/** A stored tensor, and the bytes of a data file that it may share with others. */
type PlacedTensor = { readonly stored: StoredTensor; readonly range: string | undefined };

/** Stored tensors of one element type together. */
type TypeTotal = {
  readonly type: string;
  readonly tensorCount: number;
  /** Elements. */
  readonly parameters: number;
  readonly sizeBytes: number;
};

/** Scopes of one kind. */
type ScopeCount = {
  readonly kind: 'graph' | 'body' | 'function' | 'training';
  readonly count: number;
  /** Without those in the bodies of its nodes. */
  readonly nodeCount: number;
};

/** A function of the model's own. */
type FunctionSummary = { readonly domain: string; readonly name: string; readonly nodeCount: number };

/** What is inside a model. */
export type ModelSummary = {
  readonly path: string;
  readonly sizeBytes: number;
  readonly irVersion: number;
  readonly producer: string;
  readonly opsets: readonly { readonly domain: string; readonly version: number }[];
  readonly inputs: readonly ValueSpec[];
  readonly outputs: readonly ValueSpec[];
  readonly nodeCount: number;
  /** The main graph, bodies of If, Loop and Scan, functions and training graphs; those that there are. */
  readonly scopes: readonly ScopeCount[];
  readonly functions: readonly FunctionSummary[];
  /** Most used first. */
  readonly operators: readonly OperatorCount[];
  /** Initializers and tensors in attributes, all scopes; most bytes first. */
  readonly weights: readonly TypeTotal[];
  readonly largestTensors: readonly StoredTensor[];
  readonly externalFiles: readonly ExternalFile[];
  /** What is newer than the decoded schema, or not ONNX's; it passes through a conversion as it is. */
  readonly passedFields: readonly PassedField[];
  /**
   * All files now, and about what they would take with FP32 weights of ≥ 1 KiB as FP16 and a Cast after each, or with all
   * as FP16; bytes.
   */
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
  const placed = await listStoredTensors(model, scopes);
  const tensors = placed.map(({ stored }) => stored);
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
    nodeCount: scopes.reduce((sum, scope) => sum + scope.nodes.length, 0),
    scopes: countScopes(scopes),
    functions: scopes.flatMap(({ fn, parent, nodes }) =>
      fn === undefined || parent !== undefined
        ? []
        : [{ domain: fn.domain ?? '', name: fn.name ?? '', nodeCount: nodes.length }],
    ),
    operators: countOperators(scopes),
    weights: totalByType(tensors),
    largestTensors: [...tensors].sort((left, right) => right.sizeBytes - left.sizeBytes).slice(0, 10),
    externalFiles,
    passedFields: namePassedFields(model.unknownFields),
    estimates: estimate(model, externalFiles, placed),
  };
}

async function listStoredTensors(model: OnnxModel, scopes: readonly Scope[]): Promise<PlacedTensor[]> {
  const placed: PlacedTensor[] = [];
  for (const { tensor, scope, label, role } of scopes.flatMap(listTensors)) {
    const payload = await findPayload(model.path, tensor, label);
    const inside = storedAt(tensor)?.sizeBytes;
    const texts = (tensor.stringData ?? []).reduce((sum, text) => sum + text.length, 0);
    const stored = {
      name: label,
      scope: scope.path,
      role,
      type: dataTypeOf(tensor.dataType)?.onnxName ?? `type ${tensor.dataType ?? 0}`,
      dims: (tensor.dims ?? []).map(Number),
      sizeBytes: payload?.sizeBytes ?? inside ?? texts,
    };
    const isShared = payload?.kind === 'file' && payload.location !== undefined;
    placed.push({ stored, range: isShared ? `${payload.path} ${payload.offset}` : undefined });
  }
  return placed;
}

function countScopes(scopes: readonly Scope[]): ScopeCount[] {
  const counts = new Map<ScopeCount['kind'], ScopeCount>();
  for (const scope of scopes) {
    const kind = kindOf(scope);
    const known = counts.get(kind) ?? { kind, count: 0, nodeCount: 0 };
    counts.set(kind, { kind, count: known.count + 1, nodeCount: known.nodeCount + scope.nodes.length });
  }
  return [...counts.values()];
}

function kindOf({ parent, fn, path }: Scope): ScopeCount['kind'] {
  if (parent !== undefined) return 'body';
  if (fn !== undefined) return 'function';
  return path === 'graph' ? 'graph' : 'training';
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
  tensors: readonly PlacedTensor[],
): ModelSummary['estimates'] {
  const fp32Bytes = model.sizeBytes + files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const floatName = dataTypeOf(dataTypes.float)?.onnxName;
  const floats = tensors.filter(({ stored }) => stored.type === floatName && stored.role !== 'sparse');
  const large = floats.filter(({ stored }) => stored.sizeBytes >= castFromBytes);
  const castBytes = large.reduce((sum, { stored }) => sum + 34 + 2 * Buffer.byteLength(stored.name), 0);
  return {
    fp32Bytes,
    fp16WeightsBytes: fp32Bytes - halfOf(large) + castBytes,
    fp16Bytes: fp32Bytes - halfOf(floats),
  };
}

/** Bytes that several tensors share are there once. */
function halfOf(tensors: readonly PlacedTensor[]): number {
  const unique = new Map(tensors.map((tensor, index) => [tensor.range ?? index, tensor.stored.sizeBytes]));
  return [...unique.values()].reduce((sum, sizeBytes) => sum + sizeBytes / 2, 0);
}
