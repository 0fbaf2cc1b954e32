import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type HalfStats, relativeErrorOf } from '../half/half-stats.js';
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

/**
 * Converts a model and writes it, once or, where a large weight turns out not to fit into FP16, once more without it:
 * weights are rounded while they are written, and nearly always they all fit. Each attempt that surprises makes known a
 * weight that was not, so that there is an end to them.
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
  for (;;) {
    const conversion = await planConversion(onnx, options, known);
    context.signal.throwIfAborted();
    const { model } = conversion;
    const files = { source: onnx, model, layout: options.layout, target, hash };
    const written = await writeModelFiles(files, context);
    const isSurprised = hasSurprise(conversion, written, known, options.maxWeightError);
    known = new Map([...known, ...written.stats, ...tiedStats(conversion, written)]);
    try {
      // The device takes longer than all that is left to do.
      if (!isSurprised)
        return await prove({ conversion, written, known }, source, options, { target, context });
    } finally {
      await written.flushed;
    }
    // The next attempt may need no data file.
    for (const { name } of written.files) await rm(join(dirname(target), name));
  }
}

type Made = Omit<Converted, 'loadCheck'>;

/** Reads what was written back, and opens it where that is wanted. */
async function prove(
  made: Made,
  source: Source,
  options: ConvertOptions,
  { target, context }: { readonly target: string; readonly context: WorkContext },
): Promise<Converted> {
  const { onnx, externalFiles } = source;
  const { conversion, written } = made;
  const isCopy = conversion.model === onnx.model && written.files.length === 1 && externalFiles.length === 0;
  if (!isCopy) {
    const claims = { path: onnx.path, model: onnx.model, halfNames: halfNames(conversion) };
    await checkWritten(target, claims);
  }
  return {
    ...made,
    loadCheck: options.loadCheck ? await checkLoad(target, { source, options }, context) : 'left-out',
  };
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

/** What is known of a weight holds for those that it stands for. */
function tiedStats({ tied }: Conversion, { stats }: WrittenModel): [string, HalfStats][] {
  return [...tied].flatMap(([weight, first]): [string, HalfStats][] => {
    const found = first.range && stats.get(rangeKey(first.range));
    return found === undefined || weight.range === undefined ? [] : [[rangeKey(weight.range), found]];
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
