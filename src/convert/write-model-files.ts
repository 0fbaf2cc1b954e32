import { basename, dirname, join } from 'node:path';
import type { WorkContext } from '../lib/work-context.js';
import { writeAtomically, writeFileAtomically } from '../lib/write-atomically.js';
import { OptimiseModelError } from '../messages/error.js';
import { encodeModel } from '../onnx/encode-model.js';
import { listTensors, type Scope } from '../onnx/graph-walk.js';
import type { ModelProto, TensorProto } from '../onnx/proto.js';
import { messageLimitBytes } from '../onnx/read-model.js';
import { storeExternal, storeInline } from '../onnx/set-payload.js';
import { findPayload, readPayload, readPieces } from '../onnx/tensor-payload.js';
import { type DataRange, type PlacedPayload, pageBytes, planDataFile } from './plan-data-file.js';

/** Smallest FP16 weight that goes into the data file, bytes: a weight of 1 KiB as FP32. */
const minHalfBytes = 512;
const pieceBytes = 1 << 24;

/** A converted model on its way to the disk. */
export type ModelFiles = {
  readonly model: ModelProto;
  readonly scopes: readonly Scope[];
  /** Where external data of the source is. */
  readonly sourcePath: string;
  /** Size of the source `.onnx` without the tensors in it, bytes: what names, nodes and shapes take. */
  readonly structureBytes: number;
  /** The `.onnx` file to write. */
  readonly target: string;
};

/**
 * Writes a model as one file, external data taken in.
 *
 * @param files - The model; its tensors are changed in place.
 * @throws `model-too-large-inline` before anything is written.
 */
export async function writeSingle(files: ModelFiles): Promise<void> {
  const payloads = await listPayloads(files);
  const sizeBytes = payloads.reduce((sum, { payload }) => sum + payload.sizeBytes, files.structureBytes);
  if (sizeBytes > messageLimitBytes) {
    const facts = { path: basename(files.target), sizeBytes, limitBytes: messageLimitBytes };
    throw OptimiseModelError.of('model-too-large-inline', facts);
  }
  for (const placed of payloads) await takeIn(placed);
  await writeFileAtomically(files.target, encodeModel(files.model));
}

/** What {@link writeExternal} wrote. */
export type ExternalFiles = {
  /** Undefined when no tensor of the main graph is large enough for a data file. */
  readonly dataName: string | undefined;
  /** Tensors of a page or more that stay in the `.onnx` file, since they are in bodies or functions. */
  readonly inBodies: { readonly tensorCount: number; readonly sizeBytes: number };
};

/**
 * Writes a model as a small `.onnx` and a data file beside it that a runtime can map into memory.
 *
 * @param files - The model; its tensors are changed in place.
 * @param halves - Tensors stored as FP16, which go into the data file though they are small.
 * @param context - Stops the writing; hears of its progress.
 * @returns The name of the data file, and what would have gone there but for where it is.
 */
export async function writeExternal(
  files: ModelFiles,
  halves: ReadonlySet<TensorProto>,
  context: WorkContext,
): Promise<ExternalFiles> {
  const location = `${basename(files.target)}.data`;
  const outside: PlacedPayload[] = [];
  const inBodies = { tensorCount: 0, sizeBytes: 0 };
  for (const placed of await listPayloads(files)) {
    if (isLargeEnough(placed, halves) && isInMainGraph(placed)) {
      outside.push(placed);
      continue;
    }
    await takeIn(placed);
    if (placed.payload.sizeBytes < pageBytes || isInMainGraph(placed)) continue;
    inBodies.tensorCount += 1;
    inBodies.sizeBytes += placed.payload.sizeBytes;
  }
  const ranges = await planDataFile(outside);
  const dataPath = join(dirname(files.target), location);
  if (ranges.length > 0) await writeDataFile(dataPath, ranges, context);
  for (const { offset, payload, places } of ranges) {
    for (const { tensor } of places) {
      storeExternal(tensor, tensor.dataType ?? 0, { location, offset, sizeBytes: payload.sizeBytes });
    }
  }
  await writeFileAtomically(files.target, encodeModel(files.model));
  return { dataName: ranges.length > 0 ? location : undefined, inBodies };
}

async function listPayloads({ scopes, sourcePath }: ModelFiles): Promise<PlacedPayload[]> {
  const payloads: PlacedPayload[] = [];
  for (const place of scopes.flatMap(listTensors)) {
    const payload = await findPayload(sourcePath, place.tensor, place.label);
    if (payload !== undefined) payloads.push({ place, payload });
  }
  return payloads;
}

async function takeIn({ place, payload }: PlacedPayload): Promise<void> {
  if (payload.kind === 'inline') return;
  storeInline(place.tensor, place.tensor.dataType ?? 0, await readPayload(payload));
}

function isLargeEnough({ place, payload }: PlacedPayload, halves: ReadonlySet<TensorProto>): boolean {
  if (place.role !== 'initializer' && place.role !== 'constant') return false;
  return payload.sizeBytes >= (halves.has(place.tensor) ? minHalfBytes : pageBytes);
}

/**
 * Only tensors of the main graph go outside: onnxruntime 1.30 refuses external data in the bodies of control flow when
 * the model is opened from memory, as a lazy load does.
 */
function isInMainGraph({ place: { scope } }: PlacedPayload): boolean {
  return scope.graph !== undefined && scope.parent === undefined;
}

async function writeDataFile(
  path: string,
  ranges: readonly DataRange[],
  { signal, progress }: WorkContext,
): Promise<void> {
  const total = ranges.reduce((end, { offset, payload }) => Math.max(end, offset + payload.sizeBytes), 0);
  await writeAtomically(path, async (file) => {
    for (const { offset, payload } of ranges) {
      let position = offset;
      for await (const piece of readPieces(payload, pieceBytes)) {
        signal.throwIfAborted();
        await writeWhole(file, piece, position);
        position += piece.length;
        progress({ label: 'writing weights', done: position, total, unit: 'bytes' });
      }
    }
  });
}

/** What lies between two ranges is never written and reads as zeros. */
async function writeWhole(
  file: Parameters<Parameters<typeof writeAtomically>[1]>[0],
  piece: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < piece.length; ) {
    const { bytesWritten } = await file.write(piece, done, piece.length - done, position + done);
    done += bytesWritten;
  }
}
