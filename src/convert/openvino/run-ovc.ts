import { dirname } from 'node:path';
import type { WorkContext } from '../../lib/work-context.js';
import { OptimiseModelError } from '../../messages/error.js';
import type { OpenvinoInstallation } from '../../runtimes/openvino/find-openvino.js';
import { findLockedPythonOf } from '../../runtimes/openvino/python-folders.js';
import { findLackingReader, shortenRefusal } from '../../runtimes/openvino/shorten-refusal.js';
import { ovcProgram } from './ovc-program.js';
import { type PythonEnd, type PythonJob, runPython } from './run-python.js';

/** What OpenVINO's converter is to do. */
export type OvcJob = {
  readonly installation: OpenvinoInstallation;
  /** The exported model, absolute. */
  readonly modelPath: string;
  /** A folder with nothing but what is ours. */
  readonly folder: string;
  /** The `.xml` files to write, with or without FP16 constants; absolute. */
  readonly targets: readonly { readonly path: string; readonly isHalf: boolean }[];
};

type Answer =
  | { readonly kind: 'missing' | 'failed' | 'refused'; readonly reason: string }
  | { readonly kind: 'saving'; readonly number: number }
  /** `other` is one that belongs to another release than the library. */
  | { readonly kind: 'saved' | 'other'; readonly version: string };

/** The largest models take minutes. */
const timeoutMs = 60 * 60 * 1000;

/**
 * Has OpenVINO's converter read a model and write it, in the Python of the same installation.
 *
 * @param job - The model and what is made of it.
 * @param context - Its signal kills the process; it hears of the progress.
 * @returns The version of OpenVINO that wrote it, as it says it itself.
 * @throws `ovc-missing`, `openvino-refused-model`; `ovc-failed` when it dies, hangs or cannot write; the signal's reason.
 */
export async function runOvc(job: OvcJob, context: WorkContext): Promise<string> {
  const { installation, modelPath, folder, targets } = job;
  const { libraryPath, python } = installation;
  if (python === null) {
    const locked = await findLockedPythonOf(dirname(dirname(installation.folder)));
    const reason =
      locked === null
        ? 'it is part of no Python package'
        : `its Python, ${locked}, may not be executed (permission denied)`;
    throw OptimiseModelError.of('ovc-missing', { libraryPath, reason });
  }
  const total = targets.length + 1;
  const report = (done: number): void =>
    context.progress({ label: 'converting with OpenVINO', done, total, unit: 'items' });
  let answer: Answer | undefined;
  const onLine = (line: string): void => {
    answer = JSON.parse(line) as Answer;
    if (answer.kind === 'saving') report(answer.number + 1);
  };
  report(0);
  // What the source is called would be in the files.
  const request = { model: modelPath, name: 'model.onnx', version: installation.version, targets };
  const { signal } = context;
  const end = await start({ python, program: ovcProgram, folder, request, timeoutMs, signal, onLine });
  if (answer?.kind !== 'saved') throw explain(answer, end, job);
  report(total);
  return answer.version;
}

async function start(job: PythonJob): Promise<PythonEnd> {
  return runPython(job).catch((error: Error) => {
    job.signal.throwIfAborted();
    throw OptimiseModelError.of('ovc-failed', { reason: error.message }, error);
  });
}

function explain(answer: Answer | undefined, end: PythonEnd, job: OvcJob): OptimiseModelError {
  if (answer?.kind === 'other') return refuseOther(answer.version, job.installation);
  if (answer === undefined || !('reason' in answer))
    return OptimiseModelError.of('ovc-failed', { reason: explainEnd(end) });
  const { kind, reason } = answer;
  if (kind === 'failed') return OptimiseModelError.of('ovc-failed', { reason });
  if (kind === 'missing') {
    const { libraryPath } = job.installation;
    return OptimiseModelError.of('ovc-missing', { libraryPath, reason });
  }
  const lacking = findLackingReader(reason);
  if (lacking !== null) {
    const { libraryPath: path, version } = job.installation;
    const facts = { engine: 'openvino', path, version, reason: lacking };
    return OptimiseModelError.of('runtime-unusable', facts, new Error(reason));
  }
  const facts = { path: job.modelPath, isOptimised: false, ...shortenRefusal(reason) };
  return OptimiseModelError.of('openvino-refused-model', facts, new Error(reason));
}

/** Conda has the library and the converter as two packages. */
function refuseOther(
  found: string,
  { libraryPath, version, python }: OpenvinoInstallation,
): OptimiseModelError {
  const reason = `${python} has that of ${found.split('-', 1).join('')}, and the library is ${version}`;
  return OptimiseModelError.of('ovc-missing', { libraryPath, reason });
}

function explainEnd({ isLate, signal, exitCode, lastWords }: PythonEnd): string {
  if (isLate) return `it had not ended after ${timeoutMs / 60_000} minutes`;
  const how = signal === null ? `Python ended with code ${exitCode}` : `Python was killed by ${signal}`;
  return lastWords === '' ? how : `${how}: ${lastWords}`;
}
