import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { HalfStats } from '../../half/half-stats.js';
import { settleAll } from '../../lib/settle-all.js';
import type { Layout } from '../../lib/variant.js';
import type { WorkContext } from '../../lib/work-context.js';
import { OptimiseModelError } from '../../messages/error.js';
import type { Rope } from '../../onnx/piece.js';
import { planModelBytes } from '../../onnx/plan-model-bytes.js';
import type { ModelProto } from '../../onnx/proto.js';
import { messageLimitBytes, type OnnxModel } from '../../onnx/read-model.js';
import { rangeKey } from '../plan/weight.js';
import { type StreamedPieces, type StreamJob, writePieces } from '../stream-pieces.js';
import { type LaidOut, layOutInside, layOutOutside } from './lay-out-model.js';

/** A converted model on its way to the disk. */
export type ModelFiles = {
  readonly source: OnnxModel;
  /** The edited model. */
  readonly model: ModelProto;
  readonly layout: Layout;
  /** The `.onnx` file to write; a data file gets the same name with `.data` behind it. */
  readonly target: string;
  /** Whether the files are hashed. */
  readonly hash: boolean;
};

/** A file that was written. */
type WrittenModelFile = {
  /** Without its folder. */
  readonly name: string;
  readonly rope: Rope;
  readonly sizeBytes: number;
  /** Undefined where it was not asked for. */
  readonly sha256: string | undefined;
};

/** What was written. */
export type WrittenModel = {
  /** The `.onnx` file first. */
  readonly files: readonly WrittenModelFile[];
  /** `external` also where the model does not fit into one file. */
  readonly layout: Layout;
  readonly inBodies: LaidOut['inBodies'];
  /** What rounding did to each FP32 range, by `rangeKey`. */
  readonly stats: ReadonlyMap<string, HalfStats>;
  /** Ends when all of it is on the device; it must not be put in place, nor its folder removed, before. */
  readonly flushed: Promise<void>;
};

/** Layout and bytes of a model, decided before anything is written. */
export type PlannedFiles = {
  readonly layout: Layout;
  readonly inBodies: LaidOut['inBodies'];
  /** The `.onnx` file first. */
  readonly files: readonly { readonly name: string; readonly rope: Rope }[];
};

/**
 * Decides the files of a model: one, or a small one with a data file where that is wanted or one file would be too large.
 *
 * @param source - The model that was read.
 * @param model - The edited model.
 * @param layout - What is wanted.
 * @param name - Name of the `.onnx` file.
 * @returns The files.
 * @throws `tensor-wrong`, `external-data-refused`; `model-too-large-inline` when even without its large tensors it does
 *   not fit into one file.
 */
export async function planModelFiles(
  source: OnnxModel,
  model: ModelProto,
  layout: Layout,
  name: string,
): Promise<PlannedFiles> {
  if (layout !== 'external') {
    const { model: whole, inBodies } = await layOutInside(model, source.path);
    const rope = planModelBytes(source, whole);
    if (rope.sizeBytes <= messageLimitBytes) return { layout, inBodies, files: [{ name, rope }] };
  }
  const location = `${name}.data`;
  const { model: outside, data, inBodies } = await layOutOutside(model, source.path, location);
  const rope = planModelBytes(source, outside);
  if (rope.sizeBytes > messageLimitBytes) {
    const facts = { path: source.path, sizeBytes: rope.sizeBytes, limitBytes: messageLimitBytes };
    throw OptimiseModelError.of('model-too-large-inline', facts);
  }
  const files = data === undefined ? [] : [{ name: location, rope: data }];
  return { layout: 'external', inBodies, files: [{ name, rope }, ...files] };
}

/**
 * Writes a model, its data file first, into a folder where nobody looks for it yet.
 *
 * @param model - The model and where it goes.
 * @param context - Stops the writing; hears of its progress.
 * @returns What was written; it can be read at once, while it is being flushed to the device.
 * @throws What {@link planModelFiles} throws; the file system's own errors.
 */
export async function writeModelFiles(model: ModelFiles, context: WorkContext): Promise<WrittenModel> {
  const { source, target } = model;
  const planned = await planModelFiles(source, model.model, model.layout, basename(target));
  const total = planned.files.reduce((sum, { rope }) => sum + rope.sizeBytes, 0);
  const stats = new Map<string, HalfStats>();
  const files: WrittenModelFile[] = [];
  const flushes: Promise<void>[] = [];
  let done = 0;
  const onBytes = (sizeBytes: number): void => {
    done += sizeBytes;
    context.progress({ label: 'writing the model', done, total, unit: 'bytes' });
  };
  const onHalf: StreamJob['onHalf'] = (piece, found) => stats.set(rangeKey(piece.range), found);
  const job = { source: source.bytes, signal: context.signal, hash: model.hash, onBytes, onHalf };
  try {
    for (const { name, rope } of planned.files.toReversed()) {
      const { flushed, ...written } = await writeFile(join(dirname(target), name), rope, job);
      flushes.push(flushed);
      files.unshift({ name, rope, ...written });
    }
  } catch (error) {
    await Promise.allSettled(flushes);
    throw error;
  }
  const { layout, inBodies } = planned;
  const flushed = settleAll(flushes);
  // What fails is thrown where it is awaited, and not before.
  flushed.catch(() => undefined);
  return { files, layout, inBodies, stats, flushed };
}

async function writeFile(path: string, rope: Rope, job: StreamJob): Promise<StreamedPieces> {
  const file = await open(path, 'w');
  try {
    const written = await writePieces(file, rope, job);
    const flushed = written.flushed.then(() => file.sync()).finally(() => file.close());
    flushed.catch(() => undefined);
    return { ...written, flushed };
  } catch (error) {
    await file.close();
    throw error;
  }
}
