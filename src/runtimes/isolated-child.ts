import { usualSession } from '../lib/session-options.js';
import type { Engine } from '../lib/variant.js';
import { OptimiseModelError } from '../messages/error.js';
import { importRuntime } from './import-runtime.js';
import type {
  EngineDescription,
  IsolatedAnswer,
  IsolatedRequest,
  IsolatedRun,
  RunRequest,
} from './isolated-message.js';
import { isReturnable } from './returnable-output.js';
import { plainSettings } from './runtime.js';

// This module is a program: it is started by run-isolated.ts, takes one request, answers and ends.

async function answer(request: IsolatedRequest): Promise<IsolatedAnswer<unknown>> {
  try {
    return { ok: true, result: await work(request) };
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (error instanceof OptimiseModelError)
      return { ok: false, code: error.code, facts: error.facts, stack };
    return { ok: false, code: 'internal-error', facts: { problem: stack }, stack };
  }
}

async function work({ task, request }: IsolatedRequest): Promise<unknown> {
  if (task === 'export' || request.engine === 'openvino') await nameOpenvino();
  if (task === 'run') return runOnce(request);
  if (task === 'describe') return describeEngine(request.engine);
  const { exportBlob } = await import('./openvino/export-blob.js');
  return exportBlob(request);
}

/** Loading it looks only where no Python is needed; here a start takes what it takes. */
async function nameOpenvino(): Promise<void> {
  const { findOpenvino } = await import('./openvino/find-openvino.js');
  process.env.OPENVINO_LIB_PATH = (await findOpenvino()).libraryPath;
}

async function runOnce(request: RunRequest): Promise<IsolatedRun> {
  const { threads, inference, names } = request;
  const runtime = await importRuntime(request.engine);
  const session = await runtime.openSession(
    { path: request.modelPath },
    { ...plainSettings, threads, inference, names, options: usualSession },
  );
  const skipped = session.outputs.filter((output) => !isReturnable(output)).map((output) => output.name);
  const hasReturnable = skipped.length < session.outputs.length;
  return {
    outputs: hasReturnable && request.feeds !== null ? await session.run(request.feeds) : {},
    skipped,
    outputSpecs: session.outputs,
    runtimeVersion: runtime.version,
    inference: session.inference,
  };
}

async function describeEngine(engine: Engine): Promise<EngineDescription> {
  if (engine === 'openvino') {
    const { describeOpenvino } = await import('./openvino/describe-openvino.js');
    return describeOpenvino();
  }
  const { version } = await importRuntime(engine);
  return { version, libraryPath: null, device: null, inferencePrecisions: ['f32'] };
}

process.once('message', (request: IsolatedRequest) => {
  void answer(request).then((message) => process.send?.(message, () => process.disconnect()));
});
