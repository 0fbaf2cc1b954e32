import { open } from 'node:fs/promises';
import { OptimiseModelError } from '../messages/error.js';
import { type DataType, dataTypeOf } from './element-type.js';
import { isExternal, locateExternalData } from './external-data.js';
import type { TensorProto } from './proto.js';
import { typedFieldBytes, typedFieldLength } from './typed-fields.js';

/** The bytes of a tensor, little-endian and row-major, wherever they are. */
export type Payload =
  | { readonly kind: 'inline'; readonly bytes: Uint8Array; readonly sizeBytes: number }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly location: string;
      readonly offset: number;
      readonly sizeBytes: number;
    };

/**
 * Counts the elements of a tensor.
 *
 * @param tensor - The tensor.
 * @returns The product of its dims: 1 for a scalar, 0 with a zero dim; NaN when a dim is negative or too large.
 */
export function elementCount(tensor: TensorProto): number {
  const dims = (tensor.dims ?? []).map(Number);
  if (dims.some((dim) => !Number.isSafeInteger(dim) || dim < 0)) return Number.NaN;
  const count = dims.reduce((product, dim) => product * dim, 1);
  return Number.isSafeInteger(count) ? count : Number.NaN;
}

/**
 * Finds the bytes of a tensor and checks that there are exactly as many as its shape needs.
 *
 * @param modelPath - The model it belongs to.
 * @param tensor - The tensor.
 * @param label - How to name it in an error.
 * @returns The bytes, not yet read when they are in another file; undefined for strings and types that we do not know.
 * @throws `tensor-wrong` when stored in two ways, in none, or with another size; `external-data-refused`.
 */
export async function findPayload(
  modelPath: string,
  tensor: TensorProto,
  label: string,
): Promise<Payload | undefined> {
  const type = dataTypeOf(tensor.dataType);
  if (type === undefined || type.name === 'string') return undefined;
  const refuse = (reason: string): never => {
    throw OptimiseModelError.of('tensor-wrong', { path: modelPath, tensor: label, reason });
  };
  const count = elementCount(tensor);
  if (Number.isNaN(count)) return refuse(`its dims are [${(tensor.dims ?? []).map(String).join(', ')}]`);
  const neededBytes = Math.ceil((count * type.bits) / 8);
  const rawBytes = tensor.rawData?.length ?? 0;
  const typedCount = typedFieldLength(tensor);
  if (isExternal(tensor)) {
    if (rawBytes + typedCount > 0) return refuse('it is stored both inside the model and outside of it');
    return { kind: 'file', ...(await locateExternalData(modelPath, tensor, label, neededBytes)) };
  }
  if (rawBytes > 0 && typedCount > 0) {
    return refuse(
      `it is stored twice, in raw_data (${rawBytes} bytes) and in a typed field (${typedCount} entries)`,
    );
  }
  const bytes = inlineBytes(tensor, type, count, typedCount);
  if (bytes.length !== neededBytes) {
    return refuse(`its shape needs ${neededBytes} bytes, ${bytes.length} bytes are there`);
  }
  return { kind: 'inline', bytes, sizeBytes: neededBytes };
}

function inlineBytes(tensor: TensorProto, type: DataType, count: number, typedCount: number): Uint8Array {
  if (typedCount === 0) return tensor.rawData ?? new Uint8Array(0);
  return typedFieldBytes(tensor, type, count);
}

/**
 * Reads a whole payload.
 *
 * @param payload - The payload.
 * @returns The bytes: a view of the model where they are inline.
 * @throws The file system's own error, or an error when the file has become shorter.
 */
export async function readPayload(payload: Payload): Promise<Uint8Array> {
  return readRange(payload, 0, payload.sizeBytes);
}

/** The range, in bytes from the payload's beginning, lies within the payload. */
async function readRange(payload: Payload, offset: number, length: number): Promise<Uint8Array> {
  if (payload.kind === 'inline') return payload.bytes.subarray(offset, offset + length);
  const bytes = new Uint8Array(length);
  const file = await open(payload.path, 'r');
  try {
    for (let done = 0; done < length; ) {
      const position = payload.offset + offset + done;
      const size = Math.min(length - done, 1 << 30);
      const { bytesRead } = await file.read(bytes, done, size, position);
      if (bytesRead === 0) throw new Error(`${payload.path} became shorter while it was read`);
      done += bytesRead;
    }
  } finally {
    await file.close();
  }
  return bytes;
}

/**
 * Reads a payload piece by piece, so that its size does not matter.
 *
 * @param payload - The payload.
 * @param pieceBytes - Bytes per piece; the last one may be smaller.
 * @returns The pieces in order.
 */
export async function* readPieces(payload: Payload, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < payload.sizeBytes; offset += pieceBytes) {
    yield readRange(payload, offset, Math.min(pieceBytes, payload.sizeBytes - offset));
  }
}
