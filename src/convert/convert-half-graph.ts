import { inferTypes, typingOf } from '../onnx/infer-types.js';
import { dataTypes, type GraphProto, type NodeProto } from '../onnx/proto.js';
import { sortNodes } from '../onnx/sort-nodes.js';
import { addForms, applyHalfPlan, type HalfGraph } from './apply-half-plan.js';
import { constantFacts, numberFacts } from './constant-facts.js';
import { type Conversion, replaceNodes } from './conversion.js';
import { takesCasts } from './default-domain.js';
import type { ValueFacts } from './half-plan.js';
import { planHalfGraph } from './plan-half-graph.js';
import { losesSmallNumbers } from './small-numbers.js';
import { findSquareSums } from './square-sums.js';
import { collectDemands, type Demand, noDemand } from './value-forms.js';
import { storeAsHalf, type Weight } from './weight-store.js';

/**
 * Turns the main graph into FP16 where its operators and numbers allow; its inputs and outputs stay FLOAT, and so do
 * bodies, functions and operators that we do not know.
 *
 * @param conversion - The model, changed in place.
 */
export async function convertHalfGraph(conversion: Conversion): Promise<void> {
  const { model, scopes } = conversion;
  const scope = scopes[0];
  const graph = model.graph;
  if (scope === undefined || !graph || !takesCasts(scope)) return;
  const nodes = sortNodes(scope.nodes);
  const types = inferTypes(model);
  const weights = new Map((conversion.weights.get(scope) ?? []).map((weight) => [weight.name, weight]));
  const inputs = (graph.input ?? []).map((input) => input.name ?? '');
  const outputs = (graph.output ?? []).map((output) => output.name ?? '');
  const facts = new Map<string, ValueFacts>();
  for (const [name, weight] of weights) facts.set(name, await constantFacts(weight));
  for (const node of nodes) if (node.opType === 'Constant') noteAttribute(node, facts);
  for (const name of inputs) facts.set(name, { isConstant: false, mark: 'none' });
  const planned = nodes.filter((node) => node.opType !== 'Constant');
  const exact = conversion.exactValues.get(scope) ?? new Set();
  const growing = findSquareSums(nodes);
  const plans = planHalfGraph(planned, { types, typing: typingOf(model), exact, growing, facts });
  conversion.nodesFp16 = plans.filter(
    (plan) => plan.givesHalf.includes(true) || plan.wants.includes('half'),
  ).length;

  const demands = collectDemands(plans, outputs);
  const target: HalfGraph = {
    ...{ types, names: conversion.names, demands, nodes: [], forms: new Map(), halfNames: new Set() },
    castsAdded: 0,
  };
  const stays = new Set([...inputs, ...outputs]);
  await addSources(conversion, { graph, nodes, weights, stays, exact, target });
  applyHalfPlan(plans, target);
  conversion.castsAdded += target.castsAdded;
  replaceNodes(scope, target.nodes);
  retypeValueInfo(graph, target);
}

/** `value_float` and `value_floats` stay as they are, with a Cast where FP16 is read. */
function noteAttribute(node: NodeProto, facts: Map<string, ValueFacts>): void {
  const [attribute] = node.attribute ?? [];
  const name = node.output?.[0] ?? '';
  if (attribute?.name === 'value_float') facts.set(name, numberFacts([attribute.f ?? 0]));
  else if (attribute?.name === 'value_floats') facts.set(name, numberFacts(attribute.floats ?? []));
  else if (!facts.has(name)) facts.set(name, { isConstant: true, mark: 'none' });
}

type Sources = {
  readonly graph: GraphProto;
  readonly nodes: readonly NodeProto[];
  readonly weights: ReadonlyMap<string, Weight>;
  /** Names that must stay FP32: the graph's inputs and outputs. */
  readonly stays: ReadonlySet<string>;
  readonly exact: ReadonlySet<string>;
  readonly target: HalfGraph;
};

/** Graph inputs, initializers and Constants come first, each with its Cast where both forms are read. */
async function addSources(conversion: Conversion, sources: Sources): Promise<void> {
  const { graph, nodes, weights, target } = sources;
  for (const input of graph.input ?? []) addFloat(target, input.name ?? '');
  for (const tensor of graph.initializer ?? []) {
    const name = tensor.name ?? '';
    const weight = weights.get(name);
    if (weight === undefined || target.forms.has(name)) continue;
    if (!(await storesHalf(conversion, sources, weight))) addFloat(target, name);
    else tensor.name = await addStored(conversion, target, weight);
  }
  for (const sparse of graph.sparseInitializer ?? []) addFloat(target, sparse.values?.name ?? '');
  for (const node of nodes.filter(({ opType }) => opType === 'Constant')) {
    const name = node.output?.[0] ?? '';
    target.nodes.push(node);
    const weight = weights.get(name);
    if (weight === undefined || !(await storesHalf(conversion, sources, weight))) addFloat(target, name);
    else node.output = [await addStored(conversion, target, weight)];
  }
}

function addFloat(target: HalfGraph, name: string): void {
  if (target.types.get(name) === 'float32') addForms(target, name, 'float');
}

async function addStored(conversion: Conversion, target: HalfGraph, weight: Weight): Promise<string> {
  conversion.stored.push(await storeAsHalf(weight));
  return addForms(target, weight.name, 'half');
}

/** A small tensor that is read both ways stays FP32, which costs nothing and rounds nothing. */
async function storesHalf(
  conversion: Conversion,
  { stays, exact, target }: Sources,
  weight: Weight,
): Promise<boolean> {
  const demand: Demand = target.demands.get(weight.name) ?? noDemand;
  if (!demand.half || stays.has(weight.name)) return false;
  if (demand.float && (exact.has(weight.name) || weight.sizeBytes < conversion.minWeightBytes)) return false;
  const encoded = await weight.encode();
  return encoded.stats.overflowCount === 0 && !losesSmallNumbers(encoded);
}

function retypeValueInfo(graph: GraphProto, target: HalfGraph): void {
  for (const value of graph.valueInfo ?? []) {
    const tensor = value.type?.tensorType;
    if (tensor && target.halfNames.has(value.name ?? '')) tensor.elemType = dataTypes.float16;
  }
}
