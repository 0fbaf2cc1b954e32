import { findAttribute } from '../../onnx/build-node.js';
import { dataTypeNamed, dataTypeOf } from '../../onnx/element-type.js';
import { normaliseDomain } from '../../onnx/graph-walk.js';
import type { NodeProto } from '../../onnx/proto.js';
import type { Fp32Rule } from '../convert-options.js';
import { exactInputs, lightOperators, positionsIn, quantisedInputs } from './operator-traits.js';
import { groupOf, type Value, type ValueGraph, type ValueNode } from './value-graph.js';

const floatNames: ReadonlySet<string> = new Set(['float', 'float16', 'double', 'bfloat16']);

/**
 * Marks the values that must keep all their digits: what becomes an integer or a text, a shape, an index or a scale, and
 * what those are computed from by operators that pass numbers on, in all scopes.
 *
 * A length of 5003 computed in FP16 is 5004.
 *
 * @param graph - Its values are marked; their groups must be known.
 * @param rules - The rules that hold.
 */
export function markExactValues(graph: ValueGraph, rules: ReadonlySet<Fp32Rule>): void {
  const waiting: Value[] = [];
  const mark = (value: Value | undefined): void => {
    for (const member of value === undefined ? [] : (groupOf(value)?.members ?? [value])) {
      if (member.isExact) continue;
      member.isExact = true;
      waiting.push(member);
    }
  };
  for (const { nodes } of graph.scopes) {
    for (const node of nodes) for (const index of exactPositions(node.node, rules)) mark(node.inputs[index]);
  }
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    for (const source of sourcesOf(value)) mark(source);
  }
}

function exactPositions(node: NodeProto, rules: ReadonlySet<Fp32Rule>): readonly number[] {
  const opType = node.opType ?? '';
  if (normaliseDomain(node.domain) !== '') return [];
  const scales = rules.has('quantisation') ? positionsIn(quantisedInputs, node) : [];
  if (!rules.has('integer-values')) return scales;
  if (opType === 'Cast') return makesIntegers(node) ? [0] : scales;
  return [...scales, ...positionsIn(exactInputs, node)];
}

/** A bool only asks whether a number is 0. */
function makesIntegers(cast: NodeProto): boolean {
  const to = findAttribute(cast, 'to');
  const text = Buffer.from(to?.s ?? []).toString('utf8');
  const type = text === '' ? dataTypeOf(Number(to?.i ?? 0)) : dataTypeNamed(text);
  return type !== undefined && !floatNames.has(type.onnxName) && type.onnxName !== 'bool';
}

/** What a value is computed from without rounding; what goes into a body is found through its group. */
function sourcesOf(value: Value): readonly (Value | undefined)[] {
  if (value.origin === 'input') return handedTo(value);
  const { producer } = value;
  if (producer?.kind !== 'operator' || normaliseDomain(producer.node.domain) !== '') return [];
  return lightOperators.has(producer.node.opType ?? '') ? producer.inputs : [];
}

function handedTo(input: Value): readonly (Value | undefined)[] {
  const { host, inputs } = input.scope;
  return host === undefined ? [] : [handedInput(host, inputs.indexOf(input))];
}

/**
 * Finds what a control flow node hands to an input of its body.
 *
 * @param host - If, Loop or Scan.
 * @param index - Which input of the body, from 0.
 * @returns The value outside; undefined for what only exists inside, and for anything that is not handed in by position.
 */
function handedInput(host: ValueNode, index: number): Value | undefined {
  if (host.kind !== 'control' || host.node.opType === 'If') return undefined;
  return host.inputs[index + handedShift(host)];
}

/**
 * Says by how much the inputs of a control flow node are ahead of those of its body.
 *
 * @param host - Loop or Scan.
 * @returns 1 for the first Scan, which has the lengths of its sequences before them; otherwise 0.
 */
export function handedShift(host: ValueNode): number {
  const bodyInputs = host.bodies[0]?.inputs.length ?? 0;
  return host.node.opType === 'Scan' && host.inputs.length === bodyInputs + 1 ? 1 : 0;
}
