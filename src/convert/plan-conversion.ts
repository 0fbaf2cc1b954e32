import { listScopes } from '../onnx/graph-walk.js';
import type { ModelProto } from '../onnx/proto.js';
import type { OnnxModel } from '../onnx/read-model.js';
import { reserveNames } from '../onnx/unique-names.js';
import { applyForms } from './apply/apply-forms.js';
import { type ConvertOptions, fp32Rules, type KeptReason } from './convert-options.js';
import { importDefaultDomain, takesCasts } from './default-domain.js';
import { findHalfConstants } from './forms/attribute-constants.js';
import { declareForms, namesInTraining } from './forms/declared-forms.js';
import { collectDemands, type DeclaredForms, type Demand, noDemand } from './forms/demand.js';
import { tieWeights } from './forms/tie-weights.js';
import { chooseForms, type Forms, type ValueForms } from './forms/value-forms.js';
import { askStorage, type ReasonToKeep, type StorageRules } from './forms/weight-storage.js';
import { markConstants } from './plan/constant-marks.js';
import { markExactValues } from './plan/exact-values.js';
import { barGroups, groupValues } from './plan/group-values.js';
import { findGrowingSums } from './plan/growing-sums.js';
import { refuseUnmatched, sortKeepRules } from './plan/keep-rules.js';
import { linkValues } from './plan/link-values.js';
import type { NodeDecisions } from './plan/node-decision.js';
import { planNodes } from './plan/plan-nodes.js';
import { planTables } from './plan/plan-tables.js';
import { isFloat, type Value, type ValueGraph } from './plan/value-graph.js';
import { type KnownStats, listWeights, type Weight } from './plan/weight.js';

/** What a conversion is going to do, all of it decided. */
export type Conversion = {
  /** The edited model; the decoded one itself when nothing changes. */
  readonly model: ModelProto;
  readonly graph: ValueGraph;
  readonly decisions: NodeDecisions;
  readonly forms: ValueForms;
  readonly weights: ReadonlyMap<Value, Weight>;
  /** Weights stored as FP16; of tied ones, the one that stands for them. */
  readonly stored: readonly Weight[];
  /** Weights that stay FP32 for a reason. */
  readonly kept: readonly KeptWeightOf[];
  /** Weights that are left out, with the one that stands for each. */
  readonly tied: ReadonlyMap<Weight, Weight>;
  readonly castsAdded: number;
};

type KeptWeightOf = {
  readonly weight: Weight;
  readonly reason: KeptReason;
  /** Whether FP16 nodes read it through a Cast. */
  readonly isReadAsHalf: boolean;
};

/** What of the options decides about numbers. */
export type NumberOptions = Pick<
  ConvertOptions,
  'precision' | 'minWeightBytes' | 'maxWeightError' | 'io' | 'keepFp32' | 'withoutRules'
>;

/**
 * Decides what becomes of every value, node and weight of a model, and edits a copy of it accordingly.
 *
 * @param source - The model.
 * @param options - What is wanted.
 * @param known - What rounding did to large weights in an earlier attempt; others are taken to fit.
 * @returns The conversion.
 * @throws `tensor-wrong`, `external-data-refused`, `io-name-unknown`, `keep-rule-unmatched`.
 */
export async function planConversion(
  source: OnnxModel,
  options: NumberOptions,
  known: KnownStats,
): Promise<Conversion> {
  const { model, path } = source;
  const graph = linkValues(model);
  const weights = await listWeights(model, path, graph, known);
  refuseUnmatched(graph, options.keepFp32, path);
  const nothing = {
    decisions: new Map(),
    forms: new Map(),
    stored: [],
    kept: [],
    tied: new Map(),
    castsAdded: 0,
  };
  if (options.precision === 'fp32') return { model, graph, weights, ...nothing };
  groupValues(graph);
  const storage = storageRules(model, options);
  const declared = declareForms(graph, { io: options.io, trained: storage.trained, path });
  markConstants(graph, weights, storage.rules);
  markExactValues(graph, storage.rules);
  const reasonToKeep = askStorage(graph, storage);
  const decisions = decideNodes(graph, weights, options, { storage, reasonToKeep, declared });
  const demands = collectDemands(graph, decisions, declared);
  const { half, kept } = sortWeights(weights, demands, reasonToKeep);
  const free = half.filter(({ value }) => demands.get(value)?.declared === undefined);
  const ties = await tieWeights(free);
  const names = reserveNames(listScopes(model));
  const halfWeights = new Set([...half.map(({ value }) => value), ...findHalfConstants(graph, demands)]);
  const joined = joinDemands(demands, ties);
  const isFloatGraph = options.precision !== 'fp16';
  const forms = chooseForms(graph, {
    ...{ decisions, demands: joined, declared, halfWeights, isFloatGraph, names },
  });
  shareForms(forms, ties);
  const applied = applyForms(model, graph, { forms, decisions, weights, tied: new Set(ties.keys()) });
  const { castsAdded } = applied;
  const edited = castsAdded > 0 ? importDefaultDomain(applied.model) : applied.model;
  const stored = half.filter(({ value }) => !ties.has(value));
  const tied = new Map([...ties].flatMap((pair) => tiedWeights(pair, weights)));
  return { model: edited, graph, decisions, forms, weights, stored, kept, tied, castsAdded };
}

function tiedWeights(
  [value, first]: readonly [Value, Value],
  weights: ReadonlyMap<Value, Weight>,
): readonly (readonly [Weight, Weight])[] {
  const weight = weights.get(value);
  const standing = weights.get(first);
  return weight === undefined || standing === undefined ? [] : [[weight, standing]];
}

function storageRules(model: ModelProto, options: NumberOptions): StorageRules {
  const { minWeightBytes, maxWeightError, keepFp32, withoutRules, precision } = options;
  return {
    rules: new Set(fp32Rules.filter((rule) => !withoutRules.includes(rule))),
    keepFp32: sortKeepRules(keepFp32),
    minWeightBytes,
    maxWeightError,
    smallReason: precision === 'fp16' ? 'read as FP32 and too small for a Cast' : 'below the size threshold',
    isHalfGraph: precision === 'fp16',
    trained: namesInTraining(model),
  };
}

type Deciding = {
  readonly storage: StorageRules;
  readonly reasonToKeep: ReasonToKeep;
  readonly declared: DeclaredForms;
};

function decideNodes(
  graph: ValueGraph,
  weights: ReadonlyMap<Value, Weight>,
  { precision }: NumberOptions,
  { storage, reasonToKeep, declared }: Deciding,
): NodeDecisions {
  const { main } = graph;
  const { rules, keepFp32 } = storage;
  if (precision === 'fp16' && main !== undefined && takesCasts(main.scope)) {
    const floatOutputs = new Set(
      main.outputs.filter(isFloat).filter((value) => declared.get(value) === 'float'),
    );
    return planNodes(graph, { growing: findGrowingSums(graph), rules, keepFp32, floatOutputs });
  }
  barGroups(graph);
  return planTables(graph, (value) => {
    const weight = weights.get(value);
    const demand = { half: true, float: true, declared: declared.get(value) };
    return weight !== undefined && reasonToKeep(weight, demand) === undefined;
  });
}

function sortWeights(
  weights: ReadonlyMap<Value, Weight>,
  demands: ReadonlyMap<Value, Demand>,
  reasonToKeep: ReasonToKeep,
): { readonly half: readonly Weight[]; readonly kept: readonly KeptWeightOf[] } {
  const half: Weight[] = [];
  const kept: KeptWeightOf[] = [];
  for (const [value, weight] of weights) {
    const demand = demands.get(value) ?? noDemand;
    const reason = reasonToKeep(weight, demand);
    const isRead = demand.half || demand.float;
    if (!isRead) kept.push({ weight, reason: 'read by nothing', isReadAsHalf: false });
    else if (reason !== undefined) kept.push({ weight, reason, isReadAsHalf: demand.half });
    else half.push(weight);
  }
  return { half, kept };
}

function joinDemands(
  demands: ReadonlyMap<Value, Demand>,
  ties: ReadonlyMap<Value, Value>,
): ReadonlyMap<Value, Demand> {
  const joined = new Map(demands);
  for (const [value, first] of ties) {
    const one = joined.get(first) ?? noDemand;
    const other = joined.get(value) ?? noDemand;
    joined.set(first, { ...one, half: one.half || other.half, float: one.float || other.float });
  }
  return joined;
}

/** Readers of a tied weight read the one that stands for it. */
function shareForms(forms: Map<Value, Forms>, ties: ReadonlyMap<Value, Value>): void {
  for (const [value, first] of ties) {
    const shared = forms.get(first);
    if (shared !== undefined) forms.set(value, shared);
  }
}
