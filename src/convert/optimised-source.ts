import { listScopes, listTensors, normaliseDomain } from '../onnx/graph-walk.js';
import type { ModelProto, NodeProto } from '../onnx/proto.js';
import type { RuntimeBinding } from '../store/runtime-need.js';

/** Domains of operators that onnxruntime makes for itself; NCHWc is the layout of one family of processors. */
const ownDomains: ReadonlySet<string> = new Set(['com.microsoft.nchwc', 'com.ms.internal.nhwc']);

/**
 * Operators of `com.microsoft` that onnxruntime's optimiser puts in place of others, and no exporter.
 *
 * @see https://github.com/microsoft/onnxruntime/tree/v1.22.0/onnxruntime/core/optimizer
 */
const ownOperators: ReadonlySet<string> = new Set([
  ...['BiasDropout', 'BiasSoftmax', 'FusedConv', 'FusedGemm', 'FusedMatMul', 'FusedMatMulActivation'],
  ...['MemcpyFromHost', 'MemcpyToHost', 'NhwcConv', 'NhwcFusedConv', 'NhwcMaxPool', 'QuickGelu'],
]);

/**
 * Lists the operators of a model that onnxruntime put there when it saved it as it had optimised it.
 *
 * @param model - The model.
 * @returns `Type` or `domain:Type`, sorted, each once; empty for an exported model.
 */
export function listOptimiserOperators(model: ModelProto): readonly string[] {
  const found = new Set<string>();
  for (const { nodes } of listScopes(model)) {
    for (const node of nodes) {
      const domain = normaliseDomain(node.domain);
      const isOwn = ownDomains.has(domain) || (domain === 'com.microsoft' && isOwnOperator(node));
      if (isOwn) found.add(`${domain}:${node.opType}`);
    }
  }
  return [...found].sort();
}

/**
 * Finds what binds a model to the machine on which onnxruntime saved it: a graph in the layout of one family of
 * processors, which no conversion takes back.
 *
 * @param model - The source, or what was made of it.
 * @returns What is known of it, which is not where that was; null for a model that runs anywhere.
 */
export function findBinding(model: ModelProto): RuntimeBinding | null {
  const isBlocked = listScopes(model).some(({ nodes }) =>
    nodes.some(({ domain }) => ownDomains.has(domain ?? '')),
  );
  return isBlocked ? { kind: 'layout-optimised-graph', engineVersion: null, instructionSets: [] } : null;
}

/**
 * Counts the weights that onnxruntime saved a second time, as the kernels of one version pack them on one processor; what
 * is converted has them as they are only.
 *
 * @param model - The source.
 * @returns How many there are.
 */
export function countPrepacked(model: ModelProto): number {
  const tensors = listScopes(model).flatMap(listTensors);
  return tensors.filter(({ tensor }) => (tensor.externalData ?? []).some(isPrepackedEntry)).length;
}

function isOwnOperator({ opType }: NodeProto): boolean {
  return ownOperators.has(opType ?? '');
}

function isPrepackedEntry({ key }: { readonly key?: string | null }): boolean {
  return key?.startsWith('prepacked_') === true;
}
