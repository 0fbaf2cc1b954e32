import { findAttribute } from '../onnx/build-node.js';
import { dataTypeNamed, dataTypeOf } from '../onnx/element-type.js';
import { bodiesOf, normaliseDomain, type Scope } from '../onnx/graph-walk.js';
import type { NodeProto } from '../onnx/proto.js';
import { exactInputs, lightOperators } from './operator-traits.js';

const floatNames: ReadonlySet<string> = new Set(['float', 'float16', 'double', 'bfloat16']);

/**
 * Finds the values that must keep all their digits: what becomes an integer or a text, a shape, an index or a scale,
 * and what those are computed from by operators that pass numbers on.
 *
 * A length of 5003 computed in FP16 is 5004.
 *
 * @param scopes - All scopes of a model, outer before inner.
 * @returns Names by scope; names that a body takes from outside are in the sets of the scopes around it as well.
 */
export function findExactValues(scopes: readonly Scope[]): Map<Scope, ReadonlySet<string>> {
  const found = new Map<Scope, Set<string>>(scopes.map((scope) => [scope, new Set<string>()]));
  for (const scope of scopes.toReversed()) {
    const exact = found.get(scope) ?? new Set();
    for (const node of scope.nodes) for (const name of seedsOf(node)) exact.add(name);
    spreadBackward(scope, exact);
    const outer = scope.parent === undefined ? undefined : found.get(scope.parent);
    if (outer !== undefined) for (const name of exact) outer.add(name);
  }
  return found;
}

function seedsOf(node: NodeProto): string[] {
  if (normaliseDomain(node.domain) !== '') return [];
  const opType = node.opType ?? '';
  if (opType === 'Cast') return makesIntegers(node) ? [...(node.input ?? [])] : [];
  const positions = Object.hasOwn(exactInputs, opType) ? exactInputs[opType] : undefined;
  return (positions ?? []).map((position) => node.input?.[position] ?? '').filter((name) => name !== '');
}

/** A bool only asks whether a number is 0. */
function makesIntegers(cast: NodeProto): boolean {
  const to = findAttribute(cast, 'to');
  const text = Buffer.from(to?.s ?? []).toString('utf8');
  const type = text === '' ? dataTypeOf(Number(to?.i ?? 0)) : dataTypeNamed(text);
  return type !== undefined && !floatNames.has(type.onnxName) && type.onnxName !== 'bool';
}

function spreadBackward(scope: Scope, exact: Set<string>): void {
  const producer = new Map<string, NodeProto>();
  for (const node of scope.nodes) for (const name of node.output ?? []) producer.set(name, node);
  const waiting = [...exact];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const node = producer.get(name);
    if (node === undefined || bodiesOf(node).length > 0) continue;
    if (normaliseDomain(node.domain) !== '' || !lightOperators.has(node.opType ?? '')) continue;
    for (const input of node.input ?? []) {
      if (input === '' || exact.has(input)) continue;
      exact.add(input);
      waiting.push(input);
    }
  }
}
