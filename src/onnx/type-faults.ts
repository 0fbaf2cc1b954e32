import { bodiesOf, listScopes, normaliseDomain, type Scope } from './graph-walk.js';
import {
  calledFunction,
  inferModelTypes,
  type TypeScope,
  type TypingModel,
  typingOf,
} from './infer-types.js';
import { findSignature, type Slot, slotAt } from './operator-signature.js';
import type { ModelProto, NodeProto, ValueInfoProto } from './proto.js';
import { declaredType, typeNamed, type ValueType } from './value-type.js';

/** Where element types do not fit together. */
export type TypeFault = {
  /** Such as `graph/If[3].then_branch`. */
  readonly scope: string;
  /** The operator, or `graph` for what the graph declares. */
  readonly where: string;
  readonly problem: string;
};

type Search = { readonly typing: TypingModel; readonly faults: TypeFault[] };

/**
 * Checks that every value has the type which its readers take: type variables of a node agree, fixed slots get their type,
 * FP16 is only where the slot takes it, branches and rounds give the same types, and graphs declare what they give.
 *
 * @param model - The model. Functions are typed per call and not looked into.
 * @returns What does not fit, in the order of the file; nothing is said about values whose type is not known.
 */
export function findTypeFaults(model: ModelProto): TypeFault[] {
  const types = inferModelTypes(model);
  const search: Search = { typing: typingOf(model), faults: [] };
  for (const scope of listScopes(model)) {
    const found = types.of(scope.graph);
    if (found === undefined || scope.graph === undefined) continue;
    for (const node of scope.nodes) checkNode(node, scope, found, search);
    for (const info of [...(scope.graph.input ?? []), ...(scope.graph.output ?? [])]) {
      checkDeclared(info, scope, found, search);
    }
  }
  return search.faults;
}

function checkDeclared(info: ValueInfoProto, scope: Scope, types: TypeScope, { faults }: Search): void {
  const declared = declaredType(info.type);
  const found = types.get(info.name ?? '');
  if (isKnown(declared) && isKnown(found) && declared !== found) {
    const problem = `'${info.name}' is declared ${declared} and is ${found}`;
    faults.push({ scope: scope.path, where: 'graph', problem });
  }
}

function isKnown(type: ValueType): boolean {
  return type !== 'unknown' && type !== 'other';
}

function checkNode(node: NodeProto, scope: Scope, types: TypeScope, search: Search): void {
  const domain = normaliseDomain(node.domain);
  if (calledFunction(node, search.typing) !== undefined) return;
  const signature = findSignature(domain, node.opType ?? '', search.typing.opsets.get(domain) ?? 0);
  if (signature === undefined) return;
  const bound = new Map<string, ValueType>();
  const check = (names: readonly string[], slots: readonly Slot[], side: string): void => {
    for (const [index, name] of names.entries()) {
      const type = name === '' ? 'unknown' : types.get(name);
      const problem = isKnown(type) ? misfit(type, slotAt(slots, index), bound) : undefined;
      if (problem === undefined) continue;
      const where = `${node.opType} ${side} ${index}`;
      search.faults.push({ scope: scope.path, where, problem: `'${name}' ${problem}` });
    }
  };
  check(node.input ?? [], signature.inputs, 'input');
  check(node.output ?? [], signature.outputs, 'output');
  if (domain === '') checkBodies(node, scope, types, search);
}

function misfit(type: ValueType, slot: Slot | undefined, bound: Map<string, ValueType>): string | undefined {
  if (slot === undefined || slot.kind === 'not-a-tensor') return undefined;
  if (slot.kind === 'fixed') {
    const wanted = typeNamed(slot.name);
    return isKnown(wanted) && wanted !== type ? `is ${type}, the operator takes ${wanted}` : undefined;
  }
  if (type === 'float16' && !slot.allowsHalf) return 'is float16, which the operator does not take';
  if (slot.repeats === 'each') return undefined;
  const first = bound.get(slot.name);
  if (first === undefined) bound.set(slot.name, type);
  return first === undefined || first === type ? undefined : `is ${type}, another of its values is ${first}`;
}

/** What a body gives must be what its node gives, and what comes back in the next round. */
function checkBodies(node: NodeProto, scope: Scope, types: TypeScope, { faults }: Search): void {
  const bodies = bodiesOf(node);
  if (!['If', 'Loop', 'Scan'].includes(node.opType ?? '') || bodies.length === 0) return;
  const shift = node.opType === 'Loop' ? 1 : 0;
  const outer = (node.output ?? []).map((name) => (name === '' ? 'unknown' : types.get(name)));
  for (const { name, graph } of bodies) {
    for (const [index, type] of outer.entries()) {
      const declared = declaredType(graph.output?.[index + shift]?.type);
      if (isKnown(declared) && isKnown(type) && declared !== type) {
        const problem = `its ${name} gives ${declared} as output ${index}, another gives ${type}`;
        faults.push({ scope: scope.path, where: node.opType ?? '', problem });
      }
    }
  }
}
