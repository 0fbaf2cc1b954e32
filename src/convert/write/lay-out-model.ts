import { isExternal } from '../../onnx/external-data.js';
import { listScopes, listTensors, type TensorPlace } from '../../onnx/graph-walk.js';
import { mapTensors } from '../../onnx/map-tensors.js';
import { type Piece, pieceBytes, type Rope } from '../../onnx/piece.js';
import { dataTypes, type ModelProto, type TensorProto } from '../../onnx/proto.js';
import { contentOf, withContent } from '../../onnx/tensor-content.js';
import { findPayload, readPayload } from '../../onnx/tensor-payload.js';
import { pageBytes, planDataFile } from './plan-data-file.js';

/** Smallest FP16 tensor that goes into the data file, bytes: a weight of 1 KiB as FP32. */
const minHalfBytes = 512;

/** A model whose tensors have their places. */
export type LaidOut = {
  readonly model: ModelProto;
  /** The data file; undefined when there is none. */
  readonly data: Rope | undefined;
  /** Tensors of a page or more that stay in the `.onnx` file, since they are in bodies or functions. */
  readonly inBodies: { readonly tensorCount: number; readonly sizeBytes: number };
};

/**
 * Takes all tensors of a model into the `.onnx` file.
 *
 * @param model - The edited model.
 * @param sourcePath - Where it was read from, and its external data is.
 * @returns The model without external data.
 * @throws `tensor-wrong`, `external-data-refused`.
 */
export async function layOutInside(model: ModelProto, sourcePath: string): Promise<LaidOut> {
  const inside = new Map<TensorProto, Piece>();
  for (const place of listScopes(model).flatMap(listTensors)) {
    if (!isExternal(place.tensor) || contentOf(place.tensor) !== undefined) continue;
    const piece = await pieceOf(place, sourcePath);
    if (piece !== undefined) inside.set(place.tensor, piece);
  }
  return { model: takeIn(model, inside), data: undefined, inBodies: { tensorCount: 0, sizeBytes: 0 } };
}

function takeIn(model: ModelProto, inside: ReadonlyMap<TensorProto, Piece>): ModelProto {
  return mapTensors(model, (tensor) => {
    const piece = inside.get(tensor);
    return piece === undefined || piece.kind === 'source'
      ? tensor
      : withContent(tensor, tensor.dataType ?? 0, piece);
  });
}

/**
 * Moves the large tensors of a model's main graph into a data file that a runtime can map into memory, and takes all
 * others into the `.onnx` file.
 *
 * @param model - The edited model.
 * @param sourcePath - Where it was read from, and its external data is.
 * @param location - Name of the data file.
 * @returns The model and its data file.
 * @throws `tensor-wrong`, `external-data-refused`.
 */
export async function layOutOutside(
  model: ModelProto,
  sourcePath: string,
  location: string,
): Promise<LaidOut> {
  const outside: { readonly tensor: TensorProto; readonly piece: Piece }[] = [];
  const inside = new Map<TensorProto, Piece>();
  const inBodies = { tensorCount: 0, sizeBytes: 0 };
  for (const place of listScopes(model).flatMap(listTensors)) {
    const piece = await pieceOf(place, sourcePath);
    if (piece === undefined) continue;
    const isLarge = isLargeEnough(place, pieceBytes(piece));
    if (isLarge && isInMainGraph(place)) {
      outside.push({ tensor: place.tensor, piece });
      continue;
    }
    if (isExternal(place.tensor) && contentOf(place.tensor) === undefined) inside.set(place.tensor, piece);
    if (pieceBytes(piece) < pageBytes || isInMainGraph(place)) continue;
    inBodies.tensorCount += 1;
    inBodies.sizeBytes += pieceBytes(piece);
  }
  if (outside.length === 0) return { model: takeIn(model, inside), data: undefined, inBodies };
  const { offsets, rope } = planDataFile(outside.map(({ piece }) => piece));
  const places = new Map(outside.map(({ tensor, piece }, index) => [tensor, { piece, index }] as const));
  const moved = mapTensors(takeIn(model, inside), (tensor) => {
    const place = places.get(tensor);
    if (place === undefined) return tensor;
    const range = { location, offset: offsets[place.index] ?? 0, sizeBytes: pieceBytes(place.piece) };
    return withContent(tensor, tensor.dataType ?? 0, { kind: 'external', ...range });
  });
  return { model: moved, data: rope, inBodies };
}

/** The bytes of a tensor as they are to be written; undefined for strings and types that we do not know. */
async function pieceOf({ tensor, label }: TensorPlace, sourcePath: string): Promise<Piece | undefined> {
  const content = contentOf(tensor);
  if (content?.kind === 'external') return undefined;
  if (content !== undefined) return content;
  const payload = await findPayload(sourcePath, tensor, label);
  if (payload === undefined) return undefined;
  if (payload.kind !== 'file') return { kind: 'bytes', bytes: await readPayload(payload) };
  const { path, offset, sizeBytes } = payload;
  return { kind: 'range', range: { path, offset, sizeBytes }, form: 'stored' };
}

function isLargeEnough({ role, tensor }: TensorPlace, sizeBytes: number): boolean {
  if (role !== 'initializer' && role !== 'constant') return false;
  const isHalf = tensor.dataType === dataTypes.float16;
  return sizeBytes >= (isHalf ? minHalfBytes : pageBytes);
}

/**
 * Only tensors of the main graph go outside: onnxruntime 1.30 refuses external data in the bodies of control flow when
 * the model is opened from memory, as a lazy load does.
 */
function isInMainGraph({ scope }: TensorPlace): boolean {
  return scope.path === 'graph';
}
