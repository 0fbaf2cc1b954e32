import { closeSync, fstatSync, openSync } from 'node:fs';
import { OptimiseModelError } from '../messages/error.js';
import { readExactly, windowOverFile } from './byte-window.js';
import { type FieldScan, type Hole, scanFields } from './scan-fields.js';
import { isSame, type Run, type SourceBytes } from './source-bytes.js';

/** Payloads longer than this stay on disk. */
const holeBytes = 1024;

/** A model file after its fields were walked. */
export type ReadSource = {
  readonly scan: FieldScan;
  readonly bytes: SourceBytes;
  /** The beginning of the file: 512 bytes, or all of a smaller one. */
  readonly head: Uint8Array;
};

/**
 * Walks the fields of a model file over a small window and takes all but its large payloads into memory.
 *
 * @param path - A regular file.
 * @returns What was found; nothing but the head is in memory when the walk met a problem.
 * @throws `model-changed` when it is written to meanwhile; the file system's own error.
 */
export function readSource(path: string): ReadSource {
  const fd = openSync(path, 'r');
  try {
    const { size, mtimeNs: modifiedNs } = fstatSync(fd, { bigint: true });
    const sizeBytes = Number(size);
    const scan = scanFields(windowOverFile(fd, sizeBytes), sizeBytes, 'ModelProto', holeBytes);
    const holes = scan.problem === undefined ? scan.holes : [];
    const runs = scan.problem === undefined ? readRuns(fd, sizeBytes, holes) : [];
    const head = readRange(fd, 0, Math.min(sizeBytes, 512));
    const bytes = { path, sizeBytes, modifiedNs, runs, holes };
    if (!isSame(bytes, fstatSync(fd, { bigint: true }))) throw new RangeError('it was written to');
    return { scan, bytes, head };
  } catch (cause) {
    if (cause instanceof RangeError) throw OptimiseModelError.of('model-changed', { path }, cause);
    throw cause;
  } finally {
    closeSync(fd);
  }
}

function readRuns(fd: number, sizeBytes: number, holes: readonly Hole[]): Run[] {
  const runs: Run[] = [];
  let start = 0;
  for (const hole of holes) {
    runs.push({ start, bytes: readRange(fd, start, hole.start) });
    start = hole.end;
  }
  if (start < sizeBytes) runs.push({ start, bytes: readRange(fd, start, sizeBytes) });
  return runs;
}

function readRange(fd: number, start: number, end: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(end - start);
  readExactly(fd, bytes, start);
  return bytes;
}
