import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { OptimiseModelError } from '../messages/error.js';
import type { TensorProto } from './proto.js';

/** The number of `TensorProto.data_location` that says the bytes are in another file. */
const externalLocation = 1;

/** A checked range of a data file beside a model. */
export type ExternalRange = {
  /** Where the model says the file is, relative to its own folder. */
  readonly location: string;
  /** The file itself, links resolved. */
  readonly path: string;
  readonly offset: number;
  readonly sizeBytes: number;
};

/**
 * Says whether a tensor's bytes are in another file.
 *
 * @param tensor - The tensor.
 * @returns Whether they are.
 */
export function isExternal(tensor: TensorProto): boolean {
  return tensor.dataLocation === externalLocation;
}

/**
 * Finds the bytes of an external tensor, trusting nothing: the file must be a regular one inside the model's folder
 * and hold the whole range.
 *
 * @param modelPath - The `.onnx` file.
 * @param tensor - The tensor that names the file.
 * @param label - How to name the tensor in an error.
 * @param neededBytes - Bytes that its shape and type need.
 * @returns The range.
 * @throws `external-data-refused`
 * @see https://github.com/onnx/onnx/blob/v1.21.0/docs/ExternalData.md
 */
export async function locateExternalData(
  modelPath: string,
  tensor: TensorProto,
  label: string,
  neededBytes: number,
): Promise<ExternalRange> {
  const entries = new Map((tensor.externalData ?? []).map((entry) => [entry.key ?? '', entry.value ?? '']));
  const location = entries.get('location') ?? '';
  const refuse = (reason: string, cause?: unknown): never => {
    const facts = { path: modelPath, tensor: label, location, reason };
    throw OptimiseModelError.of('external-data-refused', facts, cause);
  };
  const path = await confine(modelPath, location, refuse);
  const offset = parseCount(entries.get('offset'), 0n, 'offset', refuse);
  const length = parseCount(entries.get('length'), BigInt(neededBytes), 'length', refuse);
  if (length !== BigInt(neededBytes)) {
    refuse(`its length is ${length} bytes, but its shape needs ${neededBytes} bytes`);
  }
  const { size } = await stat(path);
  if (offset + length > BigInt(size)) {
    refuse(`it needs bytes ${offset}..${offset + length}, the file has ${size}`);
  }
  return { location, path, offset: Number(offset), sizeBytes: neededBytes };
}

type Refuse = (reason: string, cause?: unknown) => never;

async function confine(modelPath: string, location: string, refuse: Refuse): Promise<string> {
  if (location === '') return refuse('no location is given');
  if (isAbsolute(location)) return refuse('the location must be relative to the model folder');
  const folder = dirname(modelPath);
  const path = await realpath(join(folder, location)).catch((cause: NodeJS.ErrnoException) =>
    refuse(cause.code === 'ENOENT' ? 'there is no such file' : cause.message, cause),
  );
  const homes = [await realpath(folder), dirname(await realpath(modelPath))];
  if (!homes.some((home) => path.startsWith(home.endsWith(sep) ? home : home + sep))) {
    return refuse('it lies outside the folder of the model');
  }
  if (!(await stat(path)).isFile()) return refuse('it is not a regular file');
  return path;
}

/** Decimal digits only, never through a double: `1e1`, `-4` and 2^64 wrap in other readers. */
function parseCount(text: string | undefined, fallback: bigint, what: string, refuse: Refuse): bigint {
  if (text === undefined) return fallback;
  if (!/^\d{1,20}$/.test(text)) return refuse(`its ${what} '${text}' is not a decimal number of bytes`);
  return BigInt(text);
}
