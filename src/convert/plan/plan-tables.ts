import { keepFloat, type NodeDecision, type NodeDecisions } from './node-decision.js';
import { isFloat, type Value, type ValueGraph, type ValueNode } from './value-graph.js';

/**
 * Lets the lookups of tables that nothing else reads work in FP16, with the Cast behind them: a runtime would otherwise
 * expand the whole table before it takes a few rows.
 *
 * @param graph - The model, whose other nodes stay FP32.
 * @param isStorable - Whether a weight may be stored as FP16.
 * @returns Decisions for the lookups.
 */
export function planTables(graph: ValueGraph, isStorable: (value: Value) => boolean): NodeDecisions {
  const lookups = new Map<Value, ValueNode[]>();
  const readOtherwise = new Set<Value>();
  for (const scope of graph.scopes) {
    for (const node of scope.nodes) {
      const isLookup = node.kind === 'operator' && node.node.opType === 'Gather';
      for (const [index, input] of node.inputs.entries()) {
        if (!isFloat(input)) continue;
        const known = lookups.get(input);
        if (!isLookup || index !== 0) readOtherwise.add(input);
        else if (known === undefined) lookups.set(input, [node]);
        else known.push(node);
      }
    }
    for (const value of scope.outputs) if (value !== undefined) readOtherwise.add(value);
  }
  const decisions = new Map<ValueNode, NodeDecision>();
  for (const [value, nodes] of lookups) {
    if (readOtherwise.has(value) || !isStorable(value)) continue;
    for (const node of nodes) {
      const wants = node.inputs.map((_input, index) =>
        index === 0 ? ('half' as const) : ('float' as const),
      );
      decisions.set(node, { ...keepFloat(node, 'shared-value'), wants, gives: [true], reason: undefined });
    }
  }
  return decisions;
}
