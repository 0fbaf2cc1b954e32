import { fitFeeds } from '../inputs/fit-feeds.js';
import type { InputSpec } from '../inputs/input-spec.js';
import { prepareInputs } from '../inputs/prepare-inputs.js';
import type { NamedTensors } from '../lib/tensor.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import { OptimiseModelError } from '../messages/error.js';
import { type OnnxModel, readModel } from '../onnx/read-model.js';
import { modelInputs } from '../onnx/value-specs.js';
import type { IsolatedRun } from '../runtimes/isolated-message.js';
import { findUnreturnable } from '../runtimes/returnable-output.js';
import { type IsolatedJob, runIsolated } from '../runtimes/run-isolated.js';
import { refuseWrongBounds } from './check-bounds.js';
import { compareOutput, skipOutput } from './compare-output.js';
import { explainOtherInference } from './explain-other-inference.js';
import { explainRefusal, type Refusal } from './explain-refusal.js';
import { findIoDifference, widenHalf } from './io-difference.js';
import { judgeParity } from './judge-parity.js';
import { listNondeterministicOperators } from './nondeterministic-operators.js';
import { openSubject, type ParitySubject } from './open-subject.js';
import { findParityFindings } from './parity-findings.js';
import type { OutputParity, ParityBounds, ParityEngine, ParityResult } from './parity-result.js';
import { type AskedBounds, completeBounds } from './usual-bounds.js';

/** What to compare and by which rule. */
export type ParityOptions = {
  /** A model file or an artifact folder. */
  readonly reference: string;
  /** A model file or an artifact folder. */
  readonly candidate: string;
  /** By input name of the reference. */
  readonly inputs: Readonly<Record<string, InputSpec>>;
  /** What is left out is 1e-2 relative and 1e-3 absolute, for a candidate that computes in bf16 5e-2 and 2e-2. */
  readonly bounds: AskedBounds;
  /** Threads inside one operator; default 1, which sums in the same order on every machine. */
  readonly threads?: number | undefined;
  /** When a model that still runs is ended, ms; default 15 minutes. */
  readonly timeoutMs?: number | undefined;
};

/** What the reference gave, once it has run: for all comparisons of one reference on the same inputs. */
export type SharedReference = { run: IsolatedRun | null };

const defaultTimeoutMs = 15 * 60_000;

/**
 * Compares two models on the same inputs: each runs once, in a fresh session in a process of its own, with equal threads.
 * Where FP32 inputs became FP16 in the candidate, it is fed the same numbers rounded; where outputs did, they are
 * compared as numbers. What OpenVINO's own files need is taken from the reference, whose types they keep.
 *
 * @param options - The pair, its inputs and the bounds.
 * @param context - Its signal kills the run; progress counts the two runs.
 * @param shared - Where the reference's run is kept; one that is there is compared with, and the reference not run again.
 * @returns Figures per output and a verdict; `fail` also when the candidate does not run where the reference does, and
 *   `inconclusive` when its process was killed from outside or computed in something else than was asked for.
 * @throws Usage errors (`parity-bounds-wrong`, `parity-reference-no-onnx`, `input-…`), what is wrong with either file
 *   (`model-…`, `artifact-…`), and whatever keeps the reference or an engine from running (`runtime-…`), `runtime-late`
 *   included.
 */
export async function validateParity(
  options: ParityOptions,
  context: WorkContext = quietContext(),
  shared: SharedReference = { run: null },
): Promise<ParityResult> {
  const reference = await openSubject(options.reference, context.signal);
  const candidate = await openSubject(options.candidate, context.signal);
  const bounds = completeBounds(options.bounds, candidate.inference);
  refuseWrongBounds(bounds);
  const models = await readModels(reference, candidate);
  const { feeds, findings: assumed } = await prepareInputs(modelInputs(models[0]), options.inputs);
  const { threads = 1, timeoutMs = defaultTimeoutMs } = options;
  const fitted = fitFeeds(feeds, modelInputs(models[1]));
  const run = makeRun({ threads, timeoutMs }, context);
  const referenceRun = shared.run ?? (await run(reference, feeds, 0));
  shared.run = referenceRun;
  const candidateRun = await run(candidate, fitted.feeds, 1).catch((error: unknown) =>
    explainRefusal(error, options.candidate, candidate.engine),
  );
  const isRefused = 'finding' in candidateRun;
  const outputs = { reference: referenceRun.outputs, candidate: isRefused ? {} : candidateRun.outputs };
  const differing = findIoDifference(options.candidate, fitted.rounded, outputs);
  const base = {
    ...{ reference: options.reference, candidate: options.candidate, bounds },
    nondeterministic: await listOperators(models),
    engines: {
      reference: nameEngine(reference, referenceRun),
      candidate: nameEngine(candidate, isRefused ? null : candidateRun),
    },
  };
  const judged = isRefused
    ? explainNothing(candidateRun)
    : judgeRuns(base, candidate, referenceRun, candidateRun);
  return { ...base, ...judged, findings: [...assumed, ...differing, ...judged.findings] };
}

async function readModels(
  reference: ParitySubject,
  candidate: ParitySubject,
): Promise<readonly [OnnxModel, OnnxModel]> {
  if (!reference.isOnnx)
    throw OptimiseModelError.of('parity-reference-no-onnx', { reference: reference.modelPath });
  const model = await readModel(reference.modelPath);
  return [model, candidate.isOnnx ? await readModel(candidate.modelPath) : model];
}

function nameEngine({ engine }: ParitySubject, run: IsolatedRun | null): ParityEngine {
  return { engine, version: run?.runtimeVersion ?? null, inference: run?.inference ?? null };
}

type Judged = Pick<ParityResult, 'verdict' | 'reason' | 'outputs' | 'findings'>;

function explainNothing({ finding, ...judgement }: Refusal): Judged {
  return { ...judgement, outputs: [], findings: [finding] };
}

function judgeRuns(
  base: Omit<ParityResult, keyof Judged>,
  { engine, precision, inference }: ParitySubject,
  reference: IsolatedRun,
  candidate: IsolatedRun,
): Judged {
  const outputs = compareRuns(reference, candidate, base.bounds);
  const added = listAddedOutputs(reference, candidate);
  const other = explainOtherInference(base.candidate, inference, candidate.inference);
  const judgement = other?.judgement ?? judgeParity(outputs, base.nondeterministic, base.bounds);
  const result = { ...base, ...judgement, outputs };
  const findings =
    other === null ? findParityFindings(result, { engine, precision, inference }, added) : [other.finding];
  return { ...judgement, outputs, findings };
}

type RunSettings = Pick<IsolatedJob, 'threads' | 'timeoutMs'>;

function makeRun(settings: RunSettings, context: WorkContext) {
  return async (subject: ParitySubject, feeds: NamedTensors, done: number): Promise<IsolatedRun> => {
    const { engine, modelPath, inference, names } = subject;
    const run = await runIsolated({ engine, modelPath, inference, names, feeds, ...settings }, context);
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
