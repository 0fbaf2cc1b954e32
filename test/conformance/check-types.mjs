// The type check of a conformance run: it shares the slot table and the inference of types with the converter, but not
// its code.
import { inferModelTypes, typingOf } from '../../dist/onnx/infer-types.js';
import { declaredType } from '../../dist/onnx/value-type.js';
import { slotsOf } from './slot-types.mjs';
import { controlBodies } from './walk-graphs.mjs';

/**
 * Finds what is wrong with the names and types of a model: a value that is read before it is there, or defined twice; an
 * operator whose inputs do not fit together or do not fit its slots; a declaration that the values contradict.
 * @param {import('onnx-proto').onnx.IModelProto} model - The model.
 * @returns {string[]} A clause for each; empty for a model that is right as far as we know types.
 */
export function findTypeFaults(model) {
  const context = { types: inferModelTypes(model), typing: typingOf(model), faults: [] };
  if (model.graph) checkGraph(model.graph, 'graph', () => false, context);
  return context.faults;
}

function checkGraph(graph, path, isVisible, context) {
  const types = context.types.of(graph);
  const own = new Set();
  const define = (name, isRepeatable = false) => {
    if (own.has(name) && !isRepeatable) context.faults.push(`${path}: '${name}' is defined twice`);
    own.add(name);
  };
  const has = (name) => own.has(name) || isVisible(name);
  for (const { name } of graph.input ?? []) define(name);
  // A tensor that gives an input its default has the input's name.
  for (const { name } of graph.initializer ?? []) define(name, true);
  for (const { values } of graph.sparseInitializer ?? []) define(values?.name, true);
  for (const [index, node] of (graph.node ?? []).entries()) {
    const label = `${path}: ${node.opType}[${index}]`;
    for (const name of node.input ?? []) {
      if (name !== '' && !has(name)) context.faults.push(`${label} reads '${name}' before it is there`);
    }
    if (types !== undefined) checkNode(node, label, types, context);
    for (const body of controlBodies(node)) checkGraph(body.graph, `${label}.${body.name}`, has, context);
    for (const name of node.output ?? []) if (name !== '') define(name);
  }
  for (const { name } of graph.output ?? []) {
    if (!has(name)) context.faults.push(`${path}: the output '${name}' has no value`);
  }
  if (types !== undefined) checkDeclared(graph, path, types, context);
}

function checkNode(node, label, types, context) {
  const found = slotsOf(node, types, context.typing);
  if (found === undefined) return;
  const bound = new Map();
  for (const { name, slot, type } of found.slots) {
    if (type === 'unknown') continue;
    if (slot.kind === 'fixed' && !slot.name.startsWith(onnxName(type))) {
      context.faults.push(`${label} reads or gives '${name}' as ${type}; its slot is ${slot.name}`);
    }
    if (slot.kind !== 'variable') continue;
    if (type === 'float16' && !slot.allowsHalf)
      context.faults.push(`${label} takes no FLOAT16, '${name}' is`);
    if (slot.repeats === 'each') continue;
    const seen = bound.get(slot.name);
    if (seen !== undefined && seen.type !== type) {
      context.faults.push(
        `${label} needs one type for '${seen.name}' (${seen.type}) and '${name}' (${type})`,
      );
    }
    bound.set(slot.name, seen ?? { name, type });
  }
  checkHanded(node, label, types, context);
}

/** What a fixed slot calls a type; types that are no tensors of ours are left to the runtime. */
function onnxName(type) {
  return { float32: 'float', float64: 'double', other: '' }[type] ?? type;
}

/** What a Loop or Scan hands to its body is what the body declares and gives back; branches of an If give the same. */
function checkHanded(node, label, types, context) {
  const bodies = controlBodies(node).map(({ graph }) => ({ graph, inner: context.types.of(graph) }));
  for (const { graph, inner } of bodies) {
    if (inner === undefined) return;
    for (const { name, type } of graph.input ?? [])
      compare(inner.get(name), declaredType(type), `${label}: input '${name}' of its body`, context);
  }
  if (node.opType === 'If' && bodies.length === 2) {
    const [left, right] = bodies.map(({ graph, inner }) =>
      (graph.output ?? []).map(({ name }) => inner.get(name)),
    );
    for (const [index, type] of left.entries())
      compare(type, right[index] ?? 'unknown', `${label}: output ${index} of its branches`, context);
  }
  if (node.opType !== 'Loop') return;
  for (const { graph, inner } of bodies) {
    for (const [index, name] of (node.input ?? []).slice(2).entries()) {
      const given = inner.get(graph.output?.[index + 1]?.name ?? '');
      compare(types.get(name), given, `${label}: carried value ${index}`, context);
    }
  }
}

function checkDeclared(graph, path, types, context) {
  for (const { name, type } of [...(graph.output ?? []), ...(graph.valueInfo ?? [])]) {
    compare(types.get(name ?? ''), declaredType(type), `${path}: '${name}' and its declaration`, context);
  }
}

function compare(left, right, what, { faults }) {
  const isKnown = (type) => type !== 'unknown' && type !== 'other';
  if (isKnown(left) && isKnown(right) && left !== right) faults.push(`${what} differ: ${left} and ${right}`);
}
