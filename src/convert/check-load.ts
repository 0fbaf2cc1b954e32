import type { WorkContext } from '../lib/work-context.js';
import { OptimiseModelError } from '../messages/error.js';
import { openIsolated } from '../runtimes/run-isolated.js';
import type { ConvertResult } from './convert-options.js';

/** A model that opens takes seconds; one that hangs must not hold a pipeline. */
const timeoutMs = 10 * 60 * 1000;

/**
 * Opens a converted model once in onnxruntime, in a process of its own.
 *
 * A model that onnxruntime cannot open before the conversion either, for an operator that it does not have, proves
 * nothing about the conversion.
 *
 * @param written - The `.onnx` file, not yet where users look for it.
 * @param source - The model that it was made from.
 * @param context - Its signal kills the process.
 * @returns Whether it opened, or could not be judged.
 * @throws `converted-model-refused` when it does not open while its source does; `runtime-missing`, `runtime-late`.
 */
export async function checkLoad(
  written: string,
  source: string,
  context: WorkContext,
): Promise<Exclude<ConvertResult['loadCheck'], 'left-out'>> {
  const refusal = await findRefusal(written, context);
  if (refusal === undefined) return 'opened';
  if ((await findRefusal(source, context)) !== undefined) return 'not-judged';
  const facts = { path: source, reason: refusal.reason };
  throw OptimiseModelError.of('converted-model-refused', facts, refusal.error);
}

type Refusal = { readonly error: OptimiseModelError; readonly reason: string };

async function findRefusal(modelPath: string, context: WorkContext): Promise<Refusal | undefined> {
  try {
    await openIsolated({ engine: 'onnxruntime', modelPath, threads: 1, timeoutMs }, context);
    return undefined;
  } catch (error) {
    if (!(error instanceof OptimiseModelError)) throw error;
    if (!isVerdict(error)) throw error;
    return { error, reason: reasonOf(error) };
  }
}

/** A process that was killed by the engine says something of the model; one that could not even start does not. */
function isVerdict({ code, facts }: OptimiseModelError): boolean {
  if (code === 'runtime-refused-model') return true;
  return code === 'runtime-crashed' && (facts as { readonly signal?: string | null }).signal !== null;
}

function reasonOf(error: OptimiseModelError): string {
  const facts = error.facts as { readonly reason?: string; readonly problem?: string };
  return facts.reason ?? facts.problem ?? error.message;
}
