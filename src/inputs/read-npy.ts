import { readFile } from 'node:fs/promises';
import type { Tensor } from '../lib/tensor.js';
import { OptimiseModelError } from '../messages/error.js';
import { countElements, elementSizeBytes, elementsFromBytes, type NumericType } from './element-array.js';

const magic = '\x93NUMPY';

/** NumPy's codes of the types that a tensor can have, without the byte order. */
const typeCodes: Readonly<Record<string, NumericType>> = {
  f2: 'float16',
  f4: 'float32',
  f8: 'float64',
  i1: 'int8',
  i2: 'int16',
  i4: 'int32',
  i8: 'int64',
  u1: 'uint8',
  u2: 'uint16',
  u4: 'uint32',
  u8: 'uint64',
  b1: 'bool',
};

/**
 * Reads an array that NumPy saved.
 *
 * @param path - The `.npy` file, format 1 to 3, C or Fortran order, either byte order.
 * @returns The tensor in row-major order.
 * @throws `input-file-wrong` when it is no such file, is cut short, or holds a type that no tensor has.
 * @see https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
export async function readNpy(path: string): Promise<Tensor> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw wrong(path, error instanceof Error ? error.message : String(error), error);
  });
  if (bytes.toString('latin1', 0, magic.length) !== magic)
    throw wrong(path, 'it does not start like a .npy file');
  const isShortHeader = bytes[6] === 1;
  const headerStart = isShortHeader ? 10 : 12;
  if (bytes.length < headerStart) throw wrong(path, `it is cut short after ${bytes.length} bytes`);
  const headerEnd = headerStart + (isShortHeader ? bytes.readUInt16LE(8) : bytes.readUInt32LE(8));
  const header = parseHeader(path, bytes.toString('utf8', headerStart, headerEnd));
  const payload = Uint8Array.prototype.slice.call(bytes, headerEnd);
  const neededBytes = countElements(header.dims) * elementSizeBytes(header.type);
  if (payload.length !== neededBytes) {
    throw wrong(
      path,
      `shape [${header.dims.join(', ')}] of ${header.type} needs ${neededBytes} bytes, it has ${payload.length}`,
    );
  }
  const width = elementSizeBytes(header.type);
  if (header.isBigEndian) swapBytes(payload, width);
  const ordered = header.isFortran ? toRowMajor(payload, header.dims, width) : payload;
  return { type: header.type, dims: header.dims, data: elementsFromBytes(header.type, ordered) };
}

type Header = {
  readonly type: NumericType;
  readonly dims: readonly number[];
  readonly isFortran: boolean;
  readonly isBigEndian: boolean;
};

function parseHeader(path: string, text: string): Header {
  const descr = /'descr':\s*'([<>|=])([a-zA-Z]\d+)'/.exec(text);
  const order = /'fortran_order':\s*(True|False)/.exec(text);
  const shape = /'shape':\s*\(([\d\s,L]*)\)/.exec(text);
  const type = typeCodes[descr?.[2] ?? ''];
  if (type === undefined)
    throw wrong(path, `its element type is none that tensors have (${text.trim().slice(0, 120)})`);
  if (order === null || shape === null)
    throw wrong(path, `its header is not understood (${text.trim().slice(0, 120)})`);
  const dims = [...(shape[1] ?? '').matchAll(/\d+/g)].map(([digits]) => Number(digits));
  return { type, dims, isFortran: order[1] === 'True', isBigEndian: descr?.[1] === '>' };
}

function swapBytes(bytes: Uint8Array, width: number): void {
  for (let at = 0; at < bytes.length; at += width) bytes.subarray(at, at + width).reverse();
}

function toRowMajor(bytes: Uint8Array, dims: readonly number[], width: number): Uint8Array {
  const target = new Uint8Array(bytes.length);
  const index = dims.map(() => 0);
  // The source runs with the first axis fastest; the place in the target follows from the index.
  for (let from = 0; from < bytes.length; from += width) {
    const place = dims.reduce((sum, size, axis) => sum * size + (index[axis] ?? 0), 0);
    target.set(bytes.subarray(from, from + width), place * width);
    for (let axis = 0; axis < dims.length; axis += 1) {
      index[axis] = ((index[axis] ?? 0) + 1) % (dims[axis] ?? 1);
      if (index[axis] !== 0) break;
    }
  }
  return target;
}

function wrong(path: string, problem: string, cause?: unknown): OptimiseModelError {
  return OptimiseModelError.of('input-file-wrong', { path, problem }, cause);
}
