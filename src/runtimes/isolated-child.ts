import { usualSession } from '../lib/session-options.js';
import { OptimiseModelError } from '../messages/error.js';
import { importRuntime } from './import-runtime.js';
import type { IsolatedAnswer, IsolatedRequest, IsolatedRun } from './isolated-message.js';
import { isReturnable } from './returnable-output.js';
import { plainSettings } from './runtime.js';

// This module is a program: it is started by run-isolated.ts, takes one request, answers and ends.

async function answer(request: IsolatedRequest): Promise<IsolatedAnswer> {
  try {
    return { ok: true, run: await runOnce(request) };
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (error instanceof OptimiseModelError)
      return { ok: false, code: error.code, facts: error.facts, stack };
    return { ok: false, code: 'internal-error', facts: { problem: stack }, stack };
  }
}

async function runOnce(request: IsolatedRequest): Promise<IsolatedRun> {
  const runtime = await importRuntime(request.engine);
  const session = await runtime.openSession(
    { path: request.modelPath },
    { ...plainSettings, threads: request.threads, options: usualSession },
  );
  const skipped = session.outputs.filter((output) => !isReturnable(output)).map((output) => output.name);
  const hasReturnable = skipped.length < session.outputs.length;
  return {
    outputs: hasReturnable && request.feeds !== null ? await session.run(request.feeds) : {},
    skipped,
    outputSpecs: session.outputs,
    runtimeVersion: runtime.version,
  };
}

process.once('message', (request: IsolatedRequest) => {
  void answer(request).then((message) => process.send?.(message, () => process.disconnect()));
});
