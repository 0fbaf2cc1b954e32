import type { WorkContext } from '../lib/work-context.js';
import { OptimiseModelError } from '../messages/error.js';
import { shortenRefusal } from '../runtimes/openvino/shorten-refusal.js';
import { openIsolated } from '../runtimes/run-isolated.js';
import type { ConvertOptions, ConvertResult } from './convert-options.js';
import type { Source } from './open-source.js';
import { nameValues } from './runtime-need.js';

/** A model that opens takes seconds; one that hangs must not hold a pipeline. */
const timeoutMs = 10 * 60 * 1000;

/** What was converted, and how. */
type Conversion = {
  readonly source: Source;
  readonly options: Pick<ConvertOptions, 'engine' | 'inference'>;
};

/**
 * Opens a converted model once in its engine, in a process of its own.
 *
 * A model that the engine cannot open before the conversion either, for an operator that it does not have, proves
 * nothing about the conversion. That of OpenVINO is refused then: it is not what everybody else opens models with.
 *
 * @param written - The file that sessions are opened on, not yet where users look for it.
 * @param conversion - The model that it was made from, and how.
 * @param context - Its signal kills the process.
 * @returns Whether it opened, or could not be judged.
 * @throws `converted-model-refused` when it does not open while its source does; `openvino-refused-model`;
 *   `runtime-missing`, `runtime-late`.
 */
export async function checkLoad(
  written: string,
  conversion: Conversion,
  context: WorkContext,
): Promise<Exclude<ConvertResult['loadCheck'], 'left-out'>> {
  const refusal = await findRefusal(written, conversion, context);
  if (refusal === undefined) return 'opened';
  const { engine } = conversion.options;
  const { path } = conversion.source.onnx;
  const before = await findRefusal(path, conversion, context);
  if (before === undefined)
    throw OptimiseModelError.of(
      'converted-model-refused',
      { engine, path, reason: refusal.reason },
      refusal.error,
    );
  if (engine === 'onnxruntime') return 'not-judged';
  const facts = { path, isOptimised: false, ...shortenRefusal(before.reason) };
  throw OptimiseModelError.of('openvino-refused-model', facts, before.error);
}

type Refusal = { readonly error: OptimiseModelError; readonly reason: string };

async function findRefusal(
  modelPath: string,
  { source, options }: Conversion,
  context: WorkContext,
): Promise<Refusal | undefined> {
  const { engine, inference } = options;
  const names = engine === 'openvino' ? nameValues(source.onnx) : null;
  try {
    await openIsolated({ engine, modelPath, threads: 1, timeoutMs, inference, names }, context);
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
