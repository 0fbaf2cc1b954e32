import { readFile, stat } from 'node:fs/promises';
import { OptimiseModelError } from '../messages/error.js';
import { codecs, type ModelProto } from './proto.js';
import { recogniseBytes } from './recognise-bytes.js';
import { depthLimit, type FieldScan, scanFields, type UnknownField } from './scan-fields.js';

/** Most bytes that one protobuf message, and so one `.onnx` file, may have. */
export const messageLimitBytes = 2 ** 31 - 1;

/** A model file, decoded; tensors stored in it are views of the file's bytes. */
export type OnnxModel = {
  /** The path it was read from, as given. */
  readonly path: string;
  readonly model: ModelProto;
  /** Fields that were dropped while decoding. */
  readonly unknownFields: readonly UnknownField[];
  /** Size of the `.onnx` file alone, bytes. */
  readonly sizeBytes: number;
};

/**
 * Reads and decodes a model file; external data is not opened.
 *
 * @param path - The `.onnx` file.
 * @returns The decoded model, with what could not be decoded.
 * @throws `model-not-found`, `model-empty`, `model-not-onnx`, `model-truncated`, `model-too-large`, `model-too-deep`
 *   or `model-has-no-graph`.
 */
export async function readModel(path: string): Promise<OnnxModel> {
  const bytes = await readWholeFile(path);
  const scan = scanFields(bytes, 'ModelProto');
  refuseBadScan(path, bytes, scan);
  const model = decode(path, bytes);
  if (!Object.hasOwn(model, 'graph')) {
    throw OptimiseModelError.of('model-has-no-graph', { path, sizeBytes: bytes.length });
  }
  return { path, model, unknownFields: scan.unknownFields, sizeBytes: bytes.length };
}

async function readWholeFile(path: string): Promise<Uint8Array> {
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const seen = cause.code === 'ENOENT' ? 'there is no such file' : cause.message;
    throw OptimiseModelError.of('model-not-found', { path, seen }, cause);
  });
  if (!found.isFile()) {
    const seen = found.isDirectory() ? 'it is a folder' : 'it is not a regular file';
    throw OptimiseModelError.of('model-not-found', { path, seen });
  }
  if (found.size === 0) throw OptimiseModelError.of('model-empty', { path });
  if (found.size > messageLimitBytes) {
    const facts = { path, sizeBytes: found.size, limitBytes: messageLimitBytes };
    throw OptimiseModelError.of('model-too-large', facts);
  }
  return readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw OptimiseModelError.of('model-not-found', { path, seen: cause.message }, cause);
  });
}

function refuseBadScan(path: string, bytes: Uint8Array, scan: FieldScan): void {
  const sizeBytes = bytes.length;
  const looksLike = recogniseBytes(bytes);
  if (scan.problem === 'too-deep') {
    throw OptimiseModelError.of('model-too-deep', { path, limit: depthLimit });
  }
  if (scan.goodFields > 0 && scan.problem === undefined) return;
  if (looksLike === undefined && isCutOff(scan, sizeBytes)) {
    const where = `the field that begins at byte ${scan.problem.offset}`;
    throw OptimiseModelError.of('model-truncated', {
      path,
      sizeBytes,
      neededBytes: scan.problem.neededBytes,
      where,
    });
  }
  throw OptimiseModelError.of('model-not-onnx', {
    path,
    sizeBytes,
    looksLike: looksLike ?? (scan.goodFields > 0 ? 'a damaged ONNX model' : 'unknown binary data'),
    detail: detailOf(scan),
  });
}

/** A field that ends after the file, in what was a model so far; a cut in a nested message is cut at the top as well. */
function isCutOff(
  scan: FieldScan,
  sizeBytes: number,
): scan is FieldScan & { problem: Exclude<FieldScan['problem'], 'too-deep' | undefined> } {
  const { problem } = scan;
  if (problem === undefined || problem === 'too-deep' || problem.problem !== 'cut-off') return false;
  const startsLikeModel = scan.goodFields > 0 && scan.unknownFields.length === 0;
  return problem.depth === 1 && startsLikeModel && problem.neededBytes < sizeBytes + messageLimitBytes;
}

function detailOf({ problem }: FieldScan): string {
  if (problem === undefined || problem === 'too-deep') return 'none of its fields belongs to a model';
  return `byte ${problem.offset} begins no field of ${problem.message}`;
}

function decode(path: string, bytes: Uint8Array): ModelProto {
  try {
    return codecs.ModelProto.decode(bytes);
  } catch (cause) {
    const facts = { path, sizeBytes: bytes.length, looksLike: 'a damaged ONNX model' };
    throw OptimiseModelError.of('model-not-onnx', { ...facts, detail: 'decoding failed' }, cause);
  }
}
