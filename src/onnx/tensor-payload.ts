import { type FileHandle, open } from 'node:fs/promises';
import { readAtOnce } from '../lib/read-at-once.js';
import { OptimiseModelError } from '../messages/error.js';
import { decodeVarints } from './decode-varints.js';
import { type DataType, dataTypeOf } from './element-type.js';
import { isExternal, locateExternalData } from './external-data.js';
import type { TensorProto } from './proto.js';
import { type StoredPayload, storedAt } from './stored-payload.js';
import { payloadFields } from './tensor-fields.js';
import { typedFieldBytes, typedFieldLength, typedFieldOf } from './typed-fields.js';

/** Tensors up to this size are read without waiting for the thread pool, bytes. */
const smallBytes = 64 * 1024;

/** The bytes of a tensor, little-endian and row-major, wherever they are. */
export type Payload =
  | { readonly kind: 'inline'; readonly bytes: Uint8Array; readonly sizeBytes: number }
  | {
      readonly kind: 'file';
      /** The data file, or the model file itself. */
      readonly path: string;
      /** Where the model says the data file is; undefined for bytes in the model file. */
      readonly location: string | undefined;
      readonly offset: number;
      readonly sizeBytes: number;
    }
  /** Packed varints in the model file, which are decoded when they are read. */
  | {
      readonly kind: 'varints';
      readonly path: string;
      readonly label: string;
      readonly offset: number;
      /** As stored. */
      readonly encodedBytes: number;
      readonly entryBytes: 1 | 2 | 4 | 8;
      /** Decoded. */
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
 * Finds the bytes of a tensor and checks that there are exactly as many as its shape needs; packed varints that are
 * not in memory are counted when they are read.
 *
 * @param modelPath - The model it belongs to.
 * @param tensor - The tensor.
 * @param label - How to name it in an error.
 * @returns The bytes, not yet read when they are in a file; undefined for strings and types that we do not know.
 * @throws `tensor-wrong` when stored in two ways, in none, or with another size; `external-data-refused`.
 */
export async function findPayload(
  modelPath: string,
  tensor: TensorProto,
  label: string,
): Promise<Payload | undefined> {
  const type = dataTypeOf(tensor.dataType);
  if (type === undefined || type.name === 'string') return undefined;
  const refuse = (reason: string): never => refuseTensor(modelPath, label, reason);
  const count = elementCount(tensor);
  if (Number.isNaN(count)) return refuse(`its dims are [${(tensor.dims ?? []).map(String).join(', ')}]`);
  const neededBytes = Math.ceil((count * type.bits) / 8);
  const stored = storedAt(tensor);
  const rawBytes = tensor.rawData?.length ?? 0;
  const typedCount = typedFieldLength(tensor);
  if (isExternal(tensor)) {
    if (stored !== undefined || rawBytes + typedCount > 0) {
      return refuse('it is stored both inside the model and outside of it');
    }
    return { kind: 'file', ...(await locateExternalData(modelPath, tensor, label, neededBytes)) };
  }
  if (rawBytes > 0 && typedCount > 0) {
    return refuse(
      `it is stored twice, in raw_data (${rawBytes} bytes) and in a typed field (${typedCount} entries)`,
    );
  }
  const payload = stored
    ? storedPayload(modelPath, label, type, stored, neededBytes)
    : inlinePayload(tensor, type, typedCount);
  if (payload.sizeBytes !== neededBytes) refuse(describeSize(neededBytes, payload.sizeBytes));
  return payload;
}

function refuseTensor(path: string, tensor: string, reason: string): never {
  throw OptimiseModelError.of('tensor-wrong', { path, tensor, reason });
}

function describeSize(neededBytes: number, foundBytes: number): string {
  return `its shape needs ${neededBytes} bytes, ${foundBytes} bytes are there`;
}

function inlinePayload(tensor: TensorProto, type: DataType, typedCount: number): Payload {
  const bytes = typedCount === 0 ? (tensor.rawData ?? new Uint8Array(0)) : typedFieldBytes(tensor, type);
  return { kind: 'inline', bytes, sizeBytes: bytes.length };
}

function storedPayload(
  path: string,
  label: string,
  type: DataType,
  { field, offset, sizeBytes }: StoredPayload,
  neededBytes: number,
): Payload {
  if (field !== payloadFields.raw && field !== typedFieldOf(type)) {
    return { kind: 'inline', bytes: new Uint8Array(0), sizeBytes: 0 };
  }
  if (field === payloadFields.raw || field === payloadFields.floats || field === payloadFields.doubles) {
    return { kind: 'file', path, location: undefined, offset, sizeBytes };
  }
  const entryBytes = type.bits < 8 ? 1 : ((type.bits / 8) as 1 | 2 | 4 | 8);
  const place = { path, label, offset, encodedBytes: sizeBytes };
  return { kind: 'varints', ...place, entryBytes, sizeBytes: neededBytes };
}

/**
 * Reads a whole payload.
 *
 * @param payload - The payload.
 * @returns The bytes: a view of the model where they are inline.
 * @throws The file system's own error, or an error when the file has become shorter; `tensor-wrong` when varints are
 *   not as many as the shape needs.
 */
export async function readPayload(payload: Payload): Promise<Uint8Array> {
  if (payload.kind === 'inline') return payload.bytes;
  if (payload.kind === 'file' && payload.sizeBytes <= smallBytes) return readSmall(payload);
  const file = await open(payload.path, 'r');
  try {
    if (payload.kind === 'file')
      return await readRange(file, payload.path, payload.offset, payload.sizeBytes);
    return decode(payload, await readRange(file, payload.path, payload.offset, payload.encodedBytes));
  } finally {
    await file.close();
  }
}

function readSmall({ path, offset, sizeBytes }: Payload & { kind: 'file' }): Uint8Array {
  const bytes = readAtOnce(path, offset, sizeBytes);
  if (bytes.length < sizeBytes) throw new Error(`${path} became shorter while it was read`);
  return bytes;
}

function decode(payload: Payload & { kind: 'varints' }, encoded: Uint8Array): Uint8Array {
  const { path, label, entryBytes, sizeBytes } = payload;
  const decoded = decodeVarints(encoded, entryBytes);
  if (decoded === undefined) return refuseTensor(path, label, 'its numbers are damaged');
  if (decoded.length !== sizeBytes) refuseTensor(path, label, describeSize(sizeBytes, decoded.length));
  return decoded;
}

async function readRange(file: FileHandle, path: string, offset: number, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  for (let done = 0; done < size; ) {
    const step = Math.min(size - done, 1 << 30);
    const { bytesRead } = await file.read(bytes, done, step, offset + done);
    if (bytesRead === 0) throw new Error(`${path} became shorter while it was read`);
    done += bytesRead;
  }
  return bytes;
}
