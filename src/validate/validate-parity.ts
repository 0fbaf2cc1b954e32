import { fitFeeds } from '../inputs/fit-feeds.js';
import type { InputSpec } from '../inputs/input-spec.js';
import { prepareInputs } from '../inputs/prepare-inputs.js';
import type { NamedTensors } from '../lib/tensor.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import { type OnnxModel, readModel } from '../onnx/read-model.js';
import { modelInputs } from '../onnx/value-specs.js';
import type { IsolatedRun } from '../runtimes/isolated-message.js';
import { findUnreturnable } from '../runtimes/returnable-output.js';
import { type IsolatedJob, runIsolated } from '../runtimes/run-isolated.js';
import { refuseWrongBounds } from './check-bounds.js';
import { compareOutput, skipOutput } from './compare-output.js';
import { explainRefusal } from './explain-refusal.js';
import { findIoDifference, widenHalf } from './io-difference.js';
import { judgeParity } from './judge-parity.js';
import { listNondeterministicOperators } from './nondeterministic-operators.js';
import { openSubject, type ParitySubject } from './open-subject.js';
import { findParityFindings } from './parity-findings.js';
import type { OutputParity, ParityBounds, ParityResult } from './parity-result.js';

/** What to compare and by which rule. */
export type ParityOptions = {
  /** A model file or an artifact folder. */
  readonly reference: string;
  /** A model file or an artifact folder. */
  readonly candidate: string;
  /** By input name of the reference. */
  readonly inputs: Readonly<Record<string, InputSpec>>;
  readonly bounds: ParityBounds;
  /** Threads inside one operator; default 1, which sums in the same order on every machine. */
  readonly threads?: number | undefined;
  /** When a model that still runs is ended, ms; default 15 minutes. */
  readonly timeoutMs?: number | undefined;
};

const defaultTimeoutMs = 15 * 60_000;

/**
 * Compares two models on the same inputs: each runs once, in a fresh session in a process of its own. Where FP32 inputs
 * became FP16 in the candidate, it is fed the same numbers rounded; where outputs did, they are compared as numbers.
 *
 * @param options - The pair, its inputs and the bounds.
 * @param context - Its signal kills the run; progress counts the two runs.
 * @returns Figures per output and a verdict; `fail` also when the candidate does not run where the reference does, and
 *   `inconclusive` when its process was killed from outside.
 * @throws Usage errors (`parity-bounds-wrong`, `input-…`), what is wrong with either file (`model-…`, `artifact-…`),
 *   and whatever keeps the reference from running (`runtime-…`), `runtime-late` included.
 */
export async function validateParity(
  options: ParityOptions,
  context: WorkContext = quietContext(),
): Promise<ParityResult> {
  refuseWrongBounds(options.bounds);
  const [reference, candidate] = [await openSubject(options.reference), await openSubject(options.candidate)];
  const models = [await readModel(reference.modelPath), await readModel(candidate.modelPath)] as const;
  const { feeds, findings: assumed } = await prepareInputs(modelInputs(models[0]), options.inputs);
  const { threads = 1, timeoutMs = defaultTimeoutMs } = options;
  const fitted = fitFeeds(feeds, modelInputs(models[1]));
  const run = makeRun({ threads, timeoutMs }, context);
  const referenceRun = await run(reference, feeds, 0);
  const candidateRun = await run(candidate, fitted.feeds, 1).catch((error: unknown) =>
    explainRefusal(error, options.candidate),
  );
  const given = {
    reference: referenceRun.outputs,
    candidate: 'outputs' in candidateRun ? candidateRun.outputs : {},
  };
  const findings = [...assumed, ...findIoDifference(options.candidate, fitted.rounded, given)];
  const named = { reference: options.reference, candidate: options.candidate, bounds: options.bounds };
  const nondeterministic = await listOperators(models);
  const base = { ...named, nondeterministic, runtimeVersion: referenceRun.runtimeVersion };
  if ('finding' in candidateRun) {
    const { finding, ...judgement } = candidateRun;
    return { ...base, ...judgement, outputs: [], findings: [...findings, finding] };
  }
  const outputs = compareRuns(referenceRun, candidateRun, options.bounds);
  const judgement = judgeParity(outputs, nondeterministic, options.bounds);
  const result = { ...base, ...judgement, outputs };
  const added = listAddedOutputs(referenceRun, candidateRun);
  return { ...result, findings: [...findings, ...findParityFindings(result, candidate.precision, added)] };
}

const plain = { inference: 'f32', names: null } as const;

type RunSettings = Pick<IsolatedJob, 'threads' | 'timeoutMs'>;

function makeRun(settings: RunSettings, context: WorkContext) {
  return async (subject: ParitySubject, feeds: NamedTensors, done: number): Promise<IsolatedRun> => {
    const { engine, modelPath } = subject;
    const run = await runIsolated({ engine, modelPath, feeds, ...plain, ...settings }, context);
    context.progress({ label: 'parity runs', done: done + 1, total: 2, unit: 'items' });
    return run;
  };
}

async function listOperators(models: readonly OnnxModel[]): Promise<string[]> {
  const lists = await Promise.all(models.map(listNondeterministicOperators));
  return [...new Set(lists.flat())].sort();
}

function compareRuns(reference: IsolatedRun, candidate: IsolatedRun, bounds: ParityBounds): OutputParity[] {
  return reference.outputSpecs.map((spec) => {
    const { name } = spec;
    const tensor = Object.hasOwn(reference.outputs, name) ? reference.outputs[name] : undefined;
    if (tensor === undefined)
      return skipOutput(name, findUnreturnable(spec) ?? 'the engine did not return it');
    const other = Object.hasOwn(candidate.outputs, name) ? candidate.outputs[name] : undefined;
    return compareOutput(name, tensor, widenHalf(tensor, other), bounds);
  });
}

function listAddedOutputs(reference: IsolatedRun, candidate: IsolatedRun): string[] {
  const known = new Set(reference.outputSpecs.map(({ name }) => name));
  return candidate.outputSpecs.map(({ name }) => name).filter((name) => !known.has(name));
}
