import { rename, rm } from 'node:fs/promises';
import { prepareBeside } from '../lib/beside-target.js';
import { resolveChildModule } from '../lib/child-module.js';
import { type ChildEnd, converseWithChild } from '../lib/converse-with-child.js';
import type { NamedTensors } from '../lib/tensor.js';
import type { Engine } from '../lib/variant.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import type { FactsOf, MessageCode } from '../messages/catalogue.js';
import { OptimiseModelError } from '../messages/error.js';
import type {
  EngineDescription,
  ExportedBlob,
  ExportRequest,
  IsolatedAnswer,
  IsolatedRun,
  IsolatedTask,
  IsolatedTasks,
  RunRequest,
} from './isolated-message.js';

/** The program that one run is. */
const program = resolveChildModule('../runtimes/isolated-child.js', import.meta.url);

/** When its process is killed, ms from its start: a model can loop for ever. */
type Limited = { readonly timeoutMs: number };
type Job = RunRequest & Limited;

/** One run and how long it may take. */
export type IsolatedJob = Job & { readonly feeds: NamedTensors };

/**
 * Runs a model once, in a fresh session in a process of its own: nothing of an earlier run is left in it, a crash of
 * the engine takes only that process down, and this process never loads the engine.
 *
 * @param job - Engine, model, feeds, threads, what to compute in, names of inputs and outputs, and time limit.
 * @param context - Its signal kills the process.
 * @returns The tensor outputs and what else was seen.
 * @throws `runtime-missing`, `runtime-unusable`, `runtime-refused-model`, `feed-wrong`, `runtime-run-failed`;
 *   `runtime-late` when the time was up and `runtime-crashed` when the process ended without an answer; the signal's
 *   reason when cancelled.
 */
export async function runIsolated(
  job: IsolatedJob,
  context: WorkContext = quietContext(),
): Promise<IsolatedRun> {
  return askToRun(job, context);
}

/**
 * Opens a model once in a process of its own, without running it.
 *
 * @param job - Engine, model, threads, what to compute in, names of inputs and outputs, and time limit.
 * @param context - Its signal kills the process.
 * @returns What the model declares; no outputs.
 * @throws `runtime-missing`, `runtime-unusable`, `runtime-refused-model`, `runtime-late`, `runtime-crashed`; the
 *   signal's reason.
 */
export async function openIsolated(
  job: Omit<Job, 'feeds'>,
  context: WorkContext = quietContext(),
): Promise<IsolatedRun> {
  return askToRun({ ...job, feeds: null }, context);
}

async function askToRun({ timeoutMs, ...request }: Job, context: WorkContext): Promise<IsolatedRun> {
  const { engine, modelPath } = request;
  return askChild({ task: 'run', request, timeoutMs }, { engine, model: modelPath }, context);
}

/** Loading takes a second; a disk in the network ten. */
const describeTimeoutMs = 60_000;

/**
 * Lets an engine describe itself and this machine, in a process of its own.
 *
 * @param engine - Which one.
 * @param context - Its signal kills the process.
 * @returns Its version, where it is, the processor, and what FP32 operations can be computed in on it.
 * @throws `runtime-missing`, `runtime-unusable`, `openvino-path-wrong`, `runtime-late`, `runtime-crashed`; the signal's
 *   reason.
 */
export async function describeEngineIsolated(
  engine: Engine,
  context: WorkContext = quietContext(),
): Promise<EngineDescription> {
  const job = { task: 'describe', request: { engine }, timeoutMs: describeTimeoutMs } as const;
  return askChild(job, { engine, model: 'nothing but itself' }, context);
}

/**
 * Compiles a model with OpenVINO and writes what came of it, in a process of its own; the target is there whole or not
 * at all.
 *
 * @param job - The model (`.onnx` or `.xml`), the target, what to compute in, and time limit.
 * @param context - Its signal kills the process.
 * @returns Size of the target, OpenVINO's version, and what it computes in.
 * @throws `runtime-missing`, `runtime-unusable`, `runtime-refused-model`, `runtime-late`, `runtime-crashed`; the
 *   signal's reason; the file system's own error.
 */
export async function exportBlobIsolated(
  job: Omit<ExportRequest, 'path'> & Limited & { readonly target: string },
  context: WorkContext = quietContext(),
): Promise<ExportedBlob> {
  const { modelPath, inference, target, timeoutMs } = job;
  const path = await prepareBeside(target);
  try {
    const request = { modelPath, inference, path };
    const names = { engine: 'openvino', model: modelPath } as const;
    const exported = await askChild({ task: 'export', request, timeoutMs }, names, context);
    await rename(path, target);
    return exported;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

type Asked<Task extends IsolatedTask> = Limited & {
  readonly task: Task;
  readonly request: IsolatedTasks[Task]['request'];
};
/** What the words of an error name. */
type Named = { readonly engine: Engine; readonly model: string };

async function askChild<Task extends IsolatedTask>(
  { timeoutMs, ...request }: Asked<Task>,
  named: Named,
  { signal }: WorkContext,
): Promise<IsolatedTasks[Task]['result']> {
  type Answer = IsolatedAnswer<IsolatedTasks[Task]['result']>;
  const end = await converseWithChild<Answer>({ program, args: [], request, timeoutMs, signal });
  const { answer } = end;
  if (answer === undefined) throw explainSilence(end, named, timeoutMs);
  if (answer.ok) return answer.result;
  throw OptimiseModelError.of(answer.code, answer.facts as FactsOf<MessageCode>, new Error(answer.stack));
}

function explainSilence(end: ChildEnd<unknown>, named: Named, timeoutMs: number): OptimiseModelError {
  if (end.isLate) return OptimiseModelError.of('runtime-late', { ...named, timeoutMs });
  const { signal, exitCode, lastWords } = end;
  return OptimiseModelError.of('runtime-crashed', { ...named, signal, exitCode, lastWords });
}
