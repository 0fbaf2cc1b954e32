import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeProcessor } from '../../lib/processor.js';
import type { WorkContext } from '../../lib/work-context.js';
import { OptimiseModelError } from '../../messages/error.js';
import { shortenRefusal } from '../../runtimes/openvino/shorten-refusal.js';
import { exportBlobIsolated } from '../../runtimes/run-isolated.js';
import type { RuntimeNeed } from '../../store/runtime-need.js';
import { runtimeNeed } from '../runtime-need.js';
import { prepareBinding } from './bind-blob.js';
import { makeIr } from './make-ir.js';
import { needOfIr } from './write-ir.js';
import type { OpenvinoJob, WrittenModel } from './written-model.js';

/** Compiling takes seconds; what hangs must not hold a pipeline. */
const timeoutMs = 10 * 60 * 1000;

type Compiled = Pick<WrittenModel, 'compared'> & {
  readonly modelPath: string;
  readonly requires: RuntimeNeed;
  readonly madeWith: Readonly<Record<string, string>>;
};

/**
 * Writes a model as OpenVINO has compiled it here. It is compiled from the IR of that precision; for `fp32`, an
 * installation without the converter compiles it from the ONNX model.
 *
 * @param job - The model, and where it goes.
 * @param context - Stops the work; hears of its progress.
 * @returns What was written, bound to this version and processor.
 * @throws `processor-unknown`; what `makeIr` throws; what opening a model in a process of its own throws.
 */
export async function writeBlob(job: OpenvinoJob, context: WorkContext): Promise<WrittenModel> {
  const bind = prepareBinding(describeProcessor());
  const { folder, entry } = job.target;
  const irFolder = join(folder, '.ir');
  await mkdir(irFolder);
  try {
    const compiled = await prepareModel(job, irFolder, context);
    const { modelPath, requires, compared, madeWith } = compiled;
    const { inference } = job.options;
    const target = join(folder, entry);
    const { runtimeVersion } = await exportBlobIsolated(
      { modelPath, target, inference, timeoutMs },
      context,
    ).catch((error: unknown) => {
      throw quoteRefusal(error, job.source.onnx.path);
    });
    return { names: [entry], requires: bind(requires, runtimeVersion), compared, madeWith };
  } finally {
    await rm(irFolder, { recursive: true, force: true });
  }
}

async function prepareModel(
  { installation, source, options }: OpenvinoJob,
  folder: string,
  context: WorkContext,
): Promise<Compiled> {
  const { path: modelPath, model } = source.onnx;
  const isHalf = options.precision === 'fp16-weights';
  if (installation.python === null && !isHalf) {
    const requires = runtimeNeed('openvino', model, source.onnx);
    return { modelPath, requires, compared: null, madeWith: { compiledFrom: 'onnx' } };
  }
  const made = await makeIr({ installation, modelPath, folder, stem: 'model', isHalf }, context);
  const { xmlPath, converterVersion, compared } = made;
  const madeWith = { compiledFrom: 'ir', openvinoVersion: converterVersion };
  return { modelPath: xmlPath, requires: needOfIr(made, source), compared, madeWith };
}

/** What was compiled has a name that nobody knows. */
function quoteRefusal(error: unknown, path: string): unknown {
  if (!(error instanceof OptimiseModelError) || error.code !== 'runtime-refused-model') return error;
  const { reason } = error.facts as { readonly reason: string };
  const facts = { path, isOptimised: false, ...shortenRefusal(reason) };
  return OptimiseModelError.of('openvino-refused-model', facts, error);
}
