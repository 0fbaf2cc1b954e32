import { relativeErrorOf } from '../half/half-stats.js';
import type { WorkContext } from '../lib/work-context.js';
import { checkLoad } from './check-load.js';
import { checkWritten } from './check-written.js';
import type { ConvertOptions, ConvertResult } from './convert-options.js';
import type { Source } from './open-source.js';
import { type KnownStats, rangeKey } from './plan/weight.js';
import { type Conversion, planConversion } from './plan-conversion.js';
import { type WrittenModel, writeModelFiles } from './write/write-model-files.js';

/** A model that was converted and written, not yet where users look for it. */
export type Converted = {
  readonly conversion: Conversion;
  readonly written: WrittenModel;
  /** What rounding did to large weights. */
  readonly known: KnownStats;
  readonly loadCheck: ConvertResult['loadCheck'];
};

/** Each attempt learns what the one before did not know; nothing is unknown after the second. */
const mostAttempts = 4;

/**
 * Converts a model and writes it, once or, where a large weight turns out not to fit into FP16, once more without it:
 * weights are rounded while they are written, and nearly always they all fit.
 *
 * @param source - The model.
 * @param options - What to convert, and how.
 * @param target - The `.onnx` file to write; its data file comes beside it.
 * @param hash - Whether the files are hashed.
 * @param context - Stops the work; hears of its progress.
 * @returns What was made.
 * @throws What planning and writing throw; `conversion-broken`, `converted-model-refused`.
 */
export async function convertInto(
  source: Source,
  options: ConvertOptions,
  { target, hash }: { readonly target: string; readonly hash: boolean },
  context: WorkContext,
): Promise<Converted> {
  const { onnx } = source;
  let known: KnownStats = new Map();
  for (let attempt = 1; ; attempt += 1) {
    const conversion = await planConversion(onnx, options, known);
    context.signal.throwIfAborted();
    const { model } = conversion;
    const files = { source: onnx, model, layout: options.layout, target, hash };
    const written = await writeModelFiles(files, context);
    const isSurprised = hasSurprise(conversion, written, known, options.maxWeightError);
    known = new Map([...known, ...written.stats]);
    const isLast = !isSurprised || attempt === mostAttempts;
    try {
      // The device takes longer than all that is left to do.
      if (isLast) return await prove({ conversion, written, known }, source, options, { target, context });
    } finally {
      await written.flushed;
    }
  }
}

type Made = Omit<Converted, 'loadCheck'>;

/** Reads what was written back, and opens it where that is wanted. */
async function prove(
  made: Made,
  { onnx, externalFiles }: Source,
  { loadCheck }: ConvertOptions,
  { target, context }: { readonly target: string; readonly context: WorkContext },
): Promise<Converted> {
  const { conversion, written } = made;
  const isCopy = conversion.model === onnx.model && written.files.length === 1 && externalFiles.length === 0;
  if (!isCopy) {
    const claims = { path: onnx.path, model: onnx.model, halfNames: halfNames(conversion) };
    await checkWritten(target, claims);
  }
  return { ...made, loadCheck: loadCheck ? await checkLoad(target, onnx.path, context) : 'left-out' };
}

/** Whether a large weight that was taken to fit does not. */
function hasSurprise(
  { stored }: Conversion,
  { stats }: WrittenModel,
  known: KnownStats,
  maxWeightError: number,
): boolean {
  return stored.some(({ range }) => {
    const found = range === undefined || known.has(rangeKey(range)) ? undefined : stats.get(rangeKey(range));
    return found !== undefined && (found.overflowCount > 0 || relativeErrorOf(found) > maxWeightError);
  });
}

/** Inputs and outputs that the conversion declares FP16. */
function halfNames({ graph, forms }: Conversion): ReadonlySet<string> {
  const names = new Set<string>();
  for (const value of [...(graph.main?.inputs ?? []), ...(graph.main?.outputs ?? [])]) {
    const found = value && forms.get(value);
    if (value === undefined || found === undefined) continue;
    const isHalf = found.hasCast ? found.names.half === value.name : found.stored === 'half';
    if (isHalf) names.add(value.name);
  }
  return names;
}
