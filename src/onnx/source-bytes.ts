import { stat } from 'node:fs/promises';
import { OptimiseModelError } from '../messages/error.js';
import type { Hole } from './scan-fields.js';
import type { ByteWindow } from './wire-reader.js';

/** Bytes of a file that are in memory, without a gap. */
export type Run = { readonly start: number; readonly bytes: Uint8Array };

/** A file whose payloads stay on disk; all other bytes are in memory. Offsets count from its beginning. */
export type SourceBytes = {
  /** As given. */
  readonly path: string;
  readonly sizeBytes: number;
  /** When it was last changed, nanoseconds since 1970. */
  readonly modifiedNs: bigint;
  /** What is between the holes, in order. */
  readonly runs: readonly Run[];
  /** Payloads that are not in memory, in order. */
  readonly holes: readonly Hole[];
};

/**
 * Finds bytes that are in memory.
 *
 * @param source - The file.
 * @param start - Where they begin.
 * @param end - Where they end.
 * @returns A view of them; undefined when a hole is between them.
 */
export function memoryAt(source: SourceBytes, start: number, end: number): Uint8Array | undefined {
  if (start === end) return new Uint8Array(0);
  const run = runAt(source, start);
  if (run === undefined || end > run.start + run.bytes.length) return undefined;
  return run.bytes.subarray(start - run.start, end - run.start);
}

/**
 * Says whether there is a hole in a range.
 *
 * @param source - The file.
 * @param start - Where the range begins.
 * @param end - Where it ends.
 * @returns Whether not all of it is in memory.
 */
export function hasHole(source: SourceBytes, start: number, end: number): boolean {
  if (start === end) return false;
  const run = runAt(source, start);
  return run === undefined || end > run.start + run.bytes.length;
}

function runAt({ runs }: SourceBytes, offset: number): Run | undefined {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((runs[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return runs[low - 1];
}

/**
 * Opens a window over what is in memory.
 *
 * @param source - The file.
 * @returns The window; it must not be moved into a hole.
 */
export function windowOverSource(source: SourceBytes): ByteWindow {
  const window: ByteWindow = {
    ...{ bytes: new Uint8Array(0), start: 0, end: 0 },
    seek: (offset) => {
      const run = runAt(source, offset);
      window.bytes = run?.bytes ?? new Uint8Array(0);
      window.start = run?.start ?? 0;
      window.end = window.start + window.bytes.length;
    },
  };
  return window;
}

/**
 * Refuses to go on with a file that is no longer the one that was read: its payloads would be read from other places.
 *
 * @param source - The file as it was read.
 * @throws `model-changed`
 */
export async function refuseIfChanged(source: SourceBytes): Promise<void> {
  const { path } = source;
  const now = await stat(path, { bigint: true }).catch((cause: unknown) => {
    throw OptimiseModelError.of('model-changed', { path }, cause);
  });
  if (!isSame(source, now)) throw OptimiseModelError.of('model-changed', { path });
}

/**
 * Compares a file with what it was.
 *
 * @param before - Size and time of then.
 * @param now - What the file system says now.
 * @returns Whether size and time are the same.
 */
export function isSame(
  before: { readonly sizeBytes: number; readonly modifiedNs: bigint },
  now: { readonly size: bigint; readonly mtimeNs: bigint },
): boolean {
  return now.size === BigInt(before.sizeBytes) && now.mtimeNs === before.modifiedNs;
}
