// Counts what was converted, from the written file: it does not ask the converter.
import { inferModelTypes, typingOf } from '../../dist/onnx/infer-types.js';
import { weightKey } from './expected-conversion.mjs';
import { matchNodes } from './match-nodes.mjs';
import { halfSlots, slotsOf } from './slot-types.mjs';
import { controlBodies, listGraphs } from './walk-graphs.mjs';

const floatType = 1;
const halfType = 10;

/**
 * Counts the nodes that the slot table and the rules allow to be FP16, and those that are.
 * @param {import('onnx-proto').onnx.IModelProto} source - The source.
 * @param {import('onnx-proto').onnx.IModelProto} written - What was made of it.
 * @param {Map<object, string>} kept - Why nodes of the source stay FP32.
 * @returns {{ allowed: number, expected: number, found: number, byReason: Record<string, number>, missing: string[] }}
 *   `allowed` by the slot table, `expected` of those by the rules, `found` as FP16.
 */
export function countNodes(source, written, kept) {
  const before = inferModelTypes(source);
  const after = inferModelTypes(written);
  const typing = typingOf(source);
  const pairs = matchNodes(source.graph, written.graph);
  const count = { allowed: 0, expected: 0, found: 0, byReason: {}, missing: [] };
  for (const { graph, path } of listGraphs(source.graph)) {
    for (const [index, node] of (graph.node ?? []).entries()) {
      const found = node.opType === 'Constant' ? undefined : slotsOf(node, before.of(graph), typing);
      const slots = found === undefined ? [] : halfSlots(node, found);
      if (slots.length === 0) continue;
      count.allowed += 1;
      const reason = kept.get(node);
      if (reason !== undefined) {
        count.byReason[reason] = (count.byReason[reason] ?? 0) + 1;
        continue;
      }
      count.expected += 1;
      if (isHalf(slots, pairs.get(node), after)) count.found += 1;
      else count.missing.push(`${path}: ${node.opType}[${index}]`);
    }
  }
  return count;
}

function isHalf(slots, pair, types) {
  const scope = types.of(pair?.graph);
  return slots.some(({ side, index }) => scope?.get(pair.node[side]?.[index] ?? '') === 'float16');
}

/**
 * Counts the FP32 weights that the rules allow to be stored as FP16, and those that are: initializers and tensors of
 * Constant nodes, in every scope, that something reads.
 * @param {import('onnx-proto').onnx.IModelProto} source - The source.
 * @param {import('onnx-proto').onnx.IModelProto} written - What was made of it.
 * @param {Map<string, string>} kept - Why weights of the source stay FP32.
 * @returns {{ allowed: number, expected: number, found: number, byReason: Record<string, number>, missing: string[] }}
 */
export function countWeights(source, written, kept) {
  const count = { allowed: 0, expected: 0, found: 0, byReason: {}, missing: [] };
  const pairs = matchNodes(source.graph, written.graph);
  countGraph(source.graph, written.graph, 'graph', { count, kept, pairs });
  return count;
}

function countGraph(source, written, path, context) {
  const { count, kept, pairs } = context;
  const stored = halfTensors(written);
  const read = namesRead(source);
  for (const { name, dims } of floatTensors(source)) {
    if (!read.has(name)) continue;
    count.allowed += 1;
    const reason = kept.get(weightKey(path, name));
    if (reason !== undefined) {
      count.byReason[reason] = (count.byReason[reason] ?? 0) + 1;
      continue;
    }
    count.expected += 1;
    if (isStoredAsHalf(name, dims, written, stored)) count.found += 1;
    else count.missing.push(`${path}: '${name}'`);
  }
  for (const [index, node] of (source.node ?? []).entries()) {
    const bodies = new Map(controlBodies(pairs.get(node)?.node ?? {}).map((body) => [body.name, body.graph]));
    for (const { name, graph } of controlBodies(node)) {
      countGraph(graph, bodies.get(name) ?? {}, `${path}/${node.opType}[${index}].${name}`, context);
    }
  }
}

function tensorsOf(graph) {
  const constants = (graph.node ?? []).flatMap((node) => {
    if (node.opType !== 'Constant') return [];
    const tensor = (node.attribute ?? []).find(({ name }) => name === 'value')?.t;
    return tensor ? [{ name: node.output?.[0] ?? '', tensor }] : [];
  });
  const initializers = (graph.initializer ?? []).map((tensor) => ({ name: tensor.name ?? '', tensor }));
  return [...initializers, ...constants].map(({ name, tensor }) => ({
    name,
    type: tensor.dataType,
    dims: (tensor.dims ?? []).join(','),
  }));
}

function floatTensors(graph) {
  return tensorsOf(graph).filter(({ type }) => type === floatType);
}

function halfTensors(graph) {
  return tensorsOf(graph).filter(({ type }) => type === halfType);
}

/** What nodes and bodies read, and what the graph gives. */
function namesRead(graph) {
  const own = (graph.node ?? []).flatMap((node) => node.input ?? []);
  const outputs = (graph.output ?? []).map(({ name }) => name);
  const bodies = (graph.node ?? []).flatMap((node) => controlBodies(node));
  return new Set([...own, ...outputs, ...bodies.flatMap((body) => [...namesRead(body.graph)])]);
}

/** The name is given by a Cast from a FLOAT16 tensor, or by such a tensor itself, or not at all while one of its shape is there. */
function isStoredAsHalf(name, dims, written, stored) {
  if (floatTensors(written).some((tensor) => tensor.name === name)) return false;
  const producer = (written.node ?? []).find((node) => (node.output ?? []).includes(name));
  const names = new Set(stored.map((tensor) => tensor.name));
  if (names.has(name)) return true;
  if (producer !== undefined && producer.opType === 'Cast') return names.has(producer.input?.[0]);
  return stored.some((tensor) => tensor.dims === dims);
}
