import type { UniqueNames } from '../../onnx/unique-names.js';
import type { NodeDecisions } from '../plan/node-decision.js';
import { type Form, isFloat, type Value, type ValueGraph } from '../plan/value-graph.js';
import { type DeclaredForms, type Demand, isHalfGroup, noDemand } from './demand.js';

/** The forms of one FP32 value in the converted model. */
export type Forms = {
  /** The form in which its producer gives it or its tensor holds it. */
  readonly stored: Form;
  /** The name of each form; the same as long as there is only one. */
  readonly names: Readonly<Record<Form, string>>;
  /** Whether a Cast makes the form that is not stored. */
  readonly hasCast: boolean;
};

/** The forms of all FP32 values; others are not in it. */
export type ValueForms = ReadonlyMap<Value, Forms>;

/** What the forms of values are decided from. */
export type FormChoices = {
  readonly decisions: NodeDecisions;
  readonly demands: ReadonlyMap<Value, Demand>;
  readonly declared: DeclaredForms;
  /** Stored tensors that are held as FP16. */
  readonly halfWeights: ReadonlySet<Value>;
  /** Whether nodes compute in FP32, so that whoever reads a result by its name expects FP32. */
  readonly isFloatGraph: boolean;
  readonly names: UniqueNames;
};

/**
 * Decides for every FP32 value in which form it is held, and under which names its forms are found.
 *
 * The form that is given out, or that had the name before where both are read, keeps the name.
 *
 * @param graph - The model.
 * @param choices - What was decided so far; new names are taken from it.
 * @returns The forms by value.
 */
export function chooseForms(graph: ValueGraph, choices: FormChoices): Map<Value, Forms> {
  const forms = new Map<Value, Forms>();
  for (const { values } of graph.scopes) {
    for (const value of values.values()) {
      if (isFloat(value)) forms.set(value, chooseForm(value, choices));
    }
  }
  return forms;
}

function chooseForm(value: Value, choices: FormChoices): Forms {
  const demand = choices.demands.get(value) ?? noDemand;
  const stored = storedForm(value, demand, choices);
  const own = demand.declared ?? ownForm(value, stored, demand, choices);
  const other: Form = stored === 'half' ? 'float' : 'half';
  if (own === stored && !demand[other]) {
    return { stored, names: { half: value.name, float: value.name }, hasCast: false };
  }
  const source = stored === 'float' && own === 'float' ? halfSource(value) : undefined;
  if (source !== undefined) {
    return { stored, names: { half: source.name, float: value.name }, hasCast: false };
  }
  const renamed = choices.names.reserve(`${value.name}${own === 'half' ? '_fp32' : '_fp16'}`);
  const names = own === 'half' ? { half: value.name, float: renamed } : { half: renamed, float: value.name };
  return { stored, names, hasCast: true };
}

/**
 * What a Cast made FP32 is there as FP16 already. onnxruntime 1.30 also fails to run a body that takes the result of a
 * second Cast back from outside.
 */
function halfSource({ producer }: Value): Value | undefined {
  if (producer?.kind !== 'operator' || producer.node.opType !== 'Cast') return undefined;
  const [source] = producer.inputs;
  return source?.type === 'float16' ? source : undefined;
}

function storedForm(value: Value, demand: Demand, choices: FormChoices): Form {
  const { origin, producer, scope, tensor } = value;
  if (origin === 'input') {
    if (scope.kind === 'main') return choices.declared.get(value) ?? 'float';
    return scope.kind === 'body' && isHalfGroup(value) ? 'half' : 'float';
  }
  if (tensor !== undefined || producer?.kind === 'constant') {
    return choices.halfWeights.has(value) ? 'half' : 'float';
  }
  if (producer === undefined) return 'float';
  const decision = choices.decisions.get(producer);
  const gives = decision?.gives[producer.outputs.indexOf(value)] ?? false;
  // A node that is told its type by an attribute makes FP32 as well as FP16: it makes what is read.
  const isFree = decision?.retype !== 'none';
  return gives && !(isFree && (demand.float || !demand.half)) ? 'half' : 'float';
}

/** A tensor's FP32 form keeps the name, so that no reader of it changes; a node's result keeps the name it is given. */
function ownForm(value: Value, stored: Form, demand: Demand, { isFloatGraph }: FormChoices): Form {
  const isStored = value.tensor !== undefined || value.producer?.kind === 'constant';
  return (isStored || isFloatGraph) && demand.float ? 'float' : stored;
}
