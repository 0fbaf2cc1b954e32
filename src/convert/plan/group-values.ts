import {
  groupOf,
  isFloat,
  type Value,
  type ValueGraph,
  type ValueGroup,
  type ValueNode,
} from './value-graph.js';

/**
 * Joins the values that must have one type: what goes round a Loop or Scan with what it begins and ends as inside, what
 * the branches of an If give with what the If gives.
 *
 * @param graph - Its FP32 values get their groups. A name that a body gives out but that lives outside of it cannot be
 *   held in another form there, so its group is barred.
 */
export function groupValues(graph: ValueGraph): void {
  for (const { nodes } of graph.scopes) {
    for (const node of nodes) if (node.kind === 'control') groupControl(node);
  }
}

function groupControl(node: ValueNode): void {
  for (const [index, output] of node.outputs.entries()) {
    for (const body of node.bodies) joinOutput(output, body.outputs[index + outputShift(node)], body);
  }
  for (const body of node.bodies) {
    for (const [index, input] of body.inputs.entries()) {
      if (!isFloat(input)) continue;
      join(input, input);
      const state = stateOutput(node, index);
      if (state !== undefined) joinOutput(input, body.outputs[state], body);
    }
    // What a Loop or Scan does not hand on, and what a second branch alone gives, is in a group all the same.
    for (const value of body.outputs) if (isFloat(value)) joinOutput(value, value, body);
  }
}

function outputShift(node: ValueNode): number {
  return node.node.opType === 'Loop' ? 1 : 0;
}

/** The body output that comes back as this body input; undefined for what is new in each round. */
function stateOutput(node: ValueNode, input: number): number | undefined {
  if (node.node.opType === 'Loop') return input < 2 ? undefined : input - 1;
  if (node.node.opType !== 'Scan') return undefined;
  return input < scanStates(node) ? input : undefined;
}

/** A Scan has as many states as body inputs without the scanned ones. */
function scanStates(node: ValueNode): number {
  const scanned = node.node.attribute?.find(({ name }) => name === 'num_scan_inputs')?.i;
  return (node.bodies[0]?.inputs.length ?? 0) - Number(scanned ?? 0);
}

function joinOutput(
  outer: Value | undefined,
  given: Value | undefined,
  body: ValueNode['bodies'][number],
): void {
  const [first] = [outer, given].filter(isFloat);
  if (first === undefined) return;
  const group = isFloat(outer) && isFloat(given) ? join(outer, given) : join(first, first);
  const isForeign = given !== undefined && given.scope !== body;
  if (!isFloat(given) || !isFloat(outer) || isForeign) group.barred = true;
}

function join(left: Value, right: Value): ValueGroup {
  const one = groupOf(left) ?? openGroup(left);
  const other = groupOf(right) ?? openGroup(right);
  if (one === other) return one;
  const [kept, gone] = one.members.length >= other.members.length ? [one, other] : [other, one];
  for (const member of gone.members) kept.members.push(member);
  kept.barred ||= gone.barred;
  gone.joined = kept;
  gone.members = [];
  return kept;
}

function openGroup(value: Value): ValueGroup {
  value.group = { joined: undefined, members: [value], barred: false };
  return value.group;
}

/**
 * Bars all groups: everything that goes round or comes out of bodies stays FP32.
 *
 * @param graph - The model; its groups must be known.
 */
export function barGroups(graph: ValueGraph): void {
  for (const { values } of graph.scopes) {
    for (const value of values.values()) {
      const group = groupOf(value);
      if (group !== undefined) group.barred = true;
    }
  }
}
