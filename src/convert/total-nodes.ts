import type { KeptNodes, NodeReason, NodeTotals } from './convert-options.js';
import { takesHalf } from './plan/takes-half.js';
import { isFloat, type ValueNode } from './plan/value-graph.js';
import type { Conversion } from './plan-conversion.js';

const exampleCount = 5;

/**
 * Adds up what became of the nodes.
 *
 * @param conversion - What was decided.
 * @returns Nodes of all scopes: all, those whose slots allow FP16, those that compute in it, and the others by reason.
 */
export function totalNodes(conversion: Conversion): NodeTotals {
  const nodes = conversion.graph.scopes.flatMap((scope) => scope.nodes);
  const kept = new Map<NodeReason, { count: number; examples: string[] }>();
  let allowed = 0;
  let fp16 = 0;
  for (const node of nodes) {
    const isAllowed = looksAtNumbers(node) && takesHalf(node);
    if (isAllowed) allowed += 1;
    const reason = reasonOf(node, conversion);
    if (reason === 'none') fp16 += Number(isAllowed);
    else if (reason !== 'no-float') {
      const known = kept.get(reason) ?? { count: 0, examples: [] };
      known.count += 1;
      if (known.examples.length < exampleCount) known.examples.push(nameNode(node));
      kept.set(reason, known);
    }
  }
  const keptFp32 = [...kept].map(([reason, about]): KeptNodes => ({ reason, ...about }));
  keptFp32.sort((left, right) => right.count - left.count || (left.reason < right.reason ? -1 : 1));
  return { total: nodes.length, allowed, fp16, keptFp32 };
}

/** Shape and Size look at no number. */
function looksAtNumbers({ node, kind, inputs, outputs }: ValueNode): boolean {
  if (kind === 'constant' || node.opType === 'Shape' || node.opType === 'Size') return false;
  return [...inputs, ...outputs].some(isFloat);
}

/** A node whose FP32 result was left so that its readers need no Cast shares it with them. */
function reasonOf(node: ValueNode, { decisions, forms }: Conversion): NodeReason | 'none' | 'no-float' {
  if (!looksAtNumbers(node)) return 'no-float';
  const decision = decisions.get(node);
  if (decision === undefined) return node.scope.kind === 'sealed' ? 'function' : 'no-float';
  if (decision.reason !== undefined) return decision.reason;
  const gives = node.outputs.some((value) => isFloat(value) && forms.get(value)?.stored === 'half');
  if (gives || decision.wants.includes('half')) return 'none';
  const reads = node.inputs.some(
    (value, index) =>
      isFloat(value) && decision.wants[index] === 'stored' && forms.get(value)?.stored === 'half',
  );
  return reads ? 'none' : 'shared-value';
}

function nameNode({ node, scope }: ValueNode): string {
  const name = node.name ? ` '${node.name}'` : '';
  const where = scope.kind === 'main' ? '' : ` in ${scope.scope.path}`;
  return `${node.opType ?? ''}${name}${where}`;
}
