import type { NodeDecisions } from '../plan/node-decision.js';
import {
  type Form,
  groupOf,
  isFloat,
  type Value,
  type ValueGraph,
  type ValueScope,
} from '../plan/value-graph.js';

/** In which forms an FP32 value is read, and in which it is known outside. */
export type Demand = {
  /** Some node reads it as FP16, or it is given out so. */
  readonly half: boolean;
  /** Some node reads it as FP32, or it is given out so. */
  readonly float: boolean;
  /** The form that must have its own name: an input or output of a graph, or what training reads. */
  readonly declared: Form | undefined;
};

/** No demand at all. */
export const noDemand: Demand = { half: false, float: false, declared: undefined };

/** In which form the inputs and outputs of the main graph are. */
export type DeclaredForms = ReadonlyMap<Value, Form>;

/**
 * Collects how the FP32 values of a model are read.
 *
 * @param graph - The model.
 * @param decisions - What its nodes want; nodes without a decision want FP32.
 * @param declared - The forms of the main graph's inputs and outputs, and of what training reads.
 * @returns Demand by value.
 */
export function collectDemands(
  graph: ValueGraph,
  decisions: NodeDecisions,
  declared: DeclaredForms,
): Map<Value, Demand> {
  const demands = new Map<Value, Demand>();
  const add = (value: Value | undefined, more: Partial<Demand>): void => {
    if (isFloat(value)) demands.set(value, { ...(demands.get(value) ?? noDemand), ...more });
  };
  for (const [value, form] of declared) add(value, { [form]: true, declared: form });
  for (const scope of graph.scopes) {
    for (const node of scope.nodes) {
      const wants = decisions.get(node)?.wants;
      for (const [index, input] of node.inputs.entries()) {
        const want = wants?.[index] ?? 'float';
        if (want !== 'stored') add(input, { [want]: true });
      }
    }
    addBoundary(scope, declared, add);
  }
  return demands;
}

/** What a body is handed and gives out has the form of its group; functions and sealed bodies deal in FP32. */
function addBoundary(
  scope: ValueScope,
  declared: DeclaredForms,
  add: (value: Value | undefined, more: Partial<Demand>) => void,
): void {
  if (scope.kind === 'main') return;
  for (const value of [...scope.inputs, ...scope.outputs]) {
    if (!isFloat(value)) continue;
    const form: Form = scope.kind === 'body' && isHalfGroup(value) ? 'half' : 'float';
    // A body input that nobody reads needs no other form.
    const isRead = scope.outputs.includes(value);
    const read = isRead ? { [form]: true } : {};
    // What a body gives out of the scopes around it may have its name for another form there.
    const isNamedOutside = value.scope !== scope && declared.has(value);
    add(value, isNamedOutside ? read : { declared: form, ...read });
  }
}

/**
 * Tells whether a value is in a group that is held in FP16.
 *
 * @param value - The value.
 * @returns False without a group.
 */
export function isHalfGroup(value: Value): boolean {
  return groupOf(value)?.barred === false;
}
