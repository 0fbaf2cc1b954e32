import { makeCast } from '../../onnx/build-node.js';
import { edit } from '../../onnx/edit-message.js';
import { dataTypes, type GraphProto, type ModelProto, type NodeProto } from '../../onnx/proto.js';
import type { ValueForms } from '../forms/value-forms.js';
import type { NodeDecisions } from '../plan/node-decision.js';
import { isFloat, type Value, type ValueGraph, type ValueScope } from '../plan/value-graph.js';
import type { Weight } from '../plan/weight.js';
import { applyToGraph } from './apply-to-graph.js';
import { applyToNode } from './apply-to-node.js';

/** What is done to a model. */
export type Changes = {
  readonly forms: ValueForms;
  readonly decisions: NodeDecisions;
  readonly weights: ReadonlyMap<Value, Weight>;
  /** Initializers that are left out, since another holds the same numbers. */
  readonly tied: ReadonlySet<Value>;
};

/** A model after its changes. */
export type Applied = { readonly model: ModelProto; readonly castsAdded: number };

type Work = Changes & { readonly byOwner: ReadonlyMap<unknown, ValueScope>; casts: number };

/**
 * Writes forms into a model: names, types and Casts; what does not change stays the same object.
 *
 * @param model - The decoded model, which stays as it is.
 * @param graph - Its values.
 * @param changes - What to do.
 * @returns The edited model; the very same one when nothing changes.
 */
export function applyForms(model: ModelProto, graph: ValueGraph, changes: Changes): Applied {
  const byOwner = new Map(graph.scopes.map((scope) => [scope.scope.graph ?? scope.scope.fn, scope] as const));
  const work: Work = { ...changes, byOwner, casts: 0 };
  const main = model.graph ? editGraph(model.graph, work) : model.graph;
  const functions = (model.functions ?? []).map((fn) => {
    const nodes = editNodes(byOwner.get(fn), work);
    return nodes === undefined ? fn : edit(fn, { node: nodes });
  });
  const isSame = main === model.graph && functions.every((fn, index) => fn === model.functions?.[index]);
  if (isSame) return { model, castsAdded: 0 };
  const changed = edit<ModelProto>(model, { ...(main && { graph: main }), functions });
  return { model: changed, castsAdded: work.casts };
}

function editGraph(graph: GraphProto, work: Work): GraphProto {
  const scope = work.byOwner.get(graph);
  if (scope === undefined) return graph;
  return applyToGraph(graph, scope, editNodes(scope, work), work);
}

/** Undefined when nothing changes; nodes out of order are put in order only where something else changes as well. */
function editNodes(scope: ValueScope | undefined, work: Work): NodeProto[] | undefined {
  if (scope === undefined) return undefined;
  const nodes: NodeProto[] = [];
  let isSame = true;
  const addCasts = (values: Iterable<Value | undefined>): void => {
    for (const value of values) {
      const cast = isFloat(value) ? castOf(value, work) : undefined;
      if (cast === undefined) continue;
      nodes.push(cast);
      isSame = false;
    }
  };
  addCasts([...scope.values.values()].filter(({ origin }) => origin !== 'node'));
  for (const node of scope.nodes) {
    const applied = applyToNode(node, work, (body) => editGraph(body, work));
    nodes.push(applied);
    isSame &&= applied === node.node;
    addCasts(node.outputs);
  }
  return isSame ? undefined : nodes;
}

function castOf(value: Value, work: Work): NodeProto | undefined {
  const forms = work.forms.get(value);
  if (forms?.hasCast !== true || work.tied.has(value)) return undefined;
  work.casts += 1;
  const { half, float } = forms.names;
  return forms.stored === 'half'
    ? makeCast(half, float, dataTypes.float)
    : makeCast(float, half, dataTypes.float16);
}
