import { stat } from 'node:fs/promises';
import { OptimiseModelError } from '../messages/error.js';
import { explainSystemError } from '../messages/explain-system-error.js';
import { decodeModel } from './decode-model.js';
import type { ModelProto } from './proto.js';
import { type ReadSource, readSource } from './read-source.js';
import { recogniseBytes } from './recognise-bytes.js';
import { depthLimit, type FieldScan, type UnknownField } from './scan-fields.js';
import type { SourceBytes } from './source-bytes.js';

/** Most bytes that one protobuf message, and so one `.onnx` file, may have. */
export const messageLimitBytes = 2 ** 31 - 1;

/** A model file, decoded; large tensors stored in it stay in the file, small ones are views of its bytes. */
export type OnnxModel = {
  /** The path it was read from, as given. */
  readonly path: string;
  /** Never changed: what is to be written is made of copies of its messages. */
  readonly model: ModelProto;
  /** Fields that the decoded model does not have; they are in `bytes`. */
  readonly unknownFields: readonly UnknownField[];
  /** Size of the `.onnx` file alone, bytes. */
  readonly sizeBytes: number;
  /** The file, all but its large payloads in memory. */
  readonly bytes: SourceBytes;
};

/**
 * Reads and decodes a model file; neither large payloads nor external data are read.
 *
 * @param path - The `.onnx` file.
 * @returns The decoded model, with what could not be decoded.
 * @throws `model-not-found`, `model-empty`, `model-not-onnx`, `model-truncated`, `model-too-large`, `model-too-deep`,
 *   `model-changed` or `model-has-no-graph`.
 */
export async function readModel(path: string): Promise<OnnxModel> {
  await refuseWrongFile(path);
  const source = read(path);
  refuseBadScan(source);
  const { bytes, scan } = source;
  const model = decode(bytes);
  if (!Object.hasOwn(model, 'graph')) {
    throw OptimiseModelError.of('model-has-no-graph', { path, sizeBytes: bytes.sizeBytes });
  }
  return { path, model, unknownFields: scan.unknownFields, sizeBytes: bytes.sizeBytes, bytes };
}

async function refuseWrongFile(path: string): Promise<void> {
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const seen = cause.code === 'ENOENT' ? 'there is no such file' : explainSystemError(cause);
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
}

function read(path: string): ReadSource {
  try {
    return readSource(path);
  } catch (cause) {
    if (cause instanceof OptimiseModelError) throw cause;
    const seen = cause instanceof Error ? cause.message : String(cause);
    throw OptimiseModelError.of('model-not-found', { path, seen }, cause);
  }
}

function refuseBadScan({ bytes: { path, sizeBytes }, head, scan }: ReadSource): void {
  const looksLike = recogniseBytes(head);
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

function decode(bytes: SourceBytes): ModelProto {
  try {
    return decodeModel(bytes);
  } catch (cause) {
    if (cause instanceof OptimiseModelError) throw cause;
    const { path, sizeBytes } = bytes;
    const facts = { path, sizeBytes, looksLike: 'a damaged ONNX model', detail: 'decoding failed' };
    throw OptimiseModelError.of('model-not-onnx', facts, cause);
  }
}
