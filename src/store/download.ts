import { open, rename, rm } from 'node:fs/promises';
import { prepareBeside } from '../lib/beside-target.js';
import { OptimiseModelError } from '../messages/error.js';
import { type ByteSink, fileSink, memorySink } from './byte-sink.js';
import { translateFileSystemError } from './file-system-error.js';
import { OrderedHash } from './ordered-hash.js';
import { planParts } from './plan-parts.js';
import type { ByteRange, ReadableStore } from './store.js';
import { objectUrl } from './store-url.js';

/** One object to download, what it must be, and how. */
export type DownloadRequest = {
  readonly store: ReadableStore;
  readonly key: string;
  readonly sizeBytes: number;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly partSizeBytes: number;
  /** Ranges that are read at the same time, ≥ 1. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Bytes received so far, growing. */
  readonly onProgress: (receivedBytes: number) => void;
};

/**
 * Downloads an object by parallel ranges into a sink and compares it with what it must be. The SHA-256 is computed
 * while the bytes arrive, in whatever order they do.
 *
 * @param request - What to download, with the sink it goes to.
 * @throws `download-corrupt` when the object is shorter, longer or different; `object-missing`; what the transport
 *   says; the signal's reason. All reading has ended by then.
 */
export async function downloadVerified(
  request: DownloadRequest & { readonly sink: ByteSink },
): Promise<void> {
  const hash = new OrderedHash(request.sink, request.partSizeBytes);
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  signal.throwIfAborted();
  let receivedBytes = 0;
  const receive = (offset: number, chunk: Uint8Array): void => {
    request.sink.write(offset, chunk);
    hash.add(offset, chunk);
    receivedBytes += chunk.length;
    request.onProgress(receivedBytes);
  };
  // Any other object says its size with its first bytes, and is refused by it then.
  if (request.sizeBytes === 0) await refuseOtherSize(request);
  const queue = planParts(request.sizeBytes, request.partSizeBytes);
  const count = Math.min(request.concurrency, Math.ceil(request.sizeBytes / request.partSizeBytes));
  const readers = Array.from({ length: count }, () => readParts(request, queue, receive, signal));
  try {
    await Promise.all(readers);
  } catch (error) {
    stop.abort();
    await Promise.allSettled(readers);
    throw error;
  }
  const seen = hash.digest();
  if (seen !== request.sha256) throw corrupt(request, 'its SHA-256', request.sha256, seen);
}

async function readParts(
  request: DownloadRequest,
  queue: Iterable<ByteRange>,
  receive: (offset: number, chunk: Uint8Array) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const part of queue) {
    const range = { ...part, objectSizeBytes: request.sizeBytes };
    let offset = part.offset;
    const end = part.offset + part.length;
    for await (const chunk of request.store.readRange(request.key, range, signal)) {
      signal.throwIfAborted();
      if (offset + chunk.length > end) throw corrupt(request, 'bytes of a part', part.length, 'more');
      receive(offset, chunk);
      offset += chunk.length;
    }
    if (offset !== end) throw corrupt(request, 'bytes of a part', part.length, offset - part.offset);
  }
}

async function refuseOtherSize(request: DownloadRequest): Promise<void> {
  const found = await request.store.head(request.key, request.signal);
  const url = objectUrl(request.store.url, request.key);
  if (found === undefined) throw OptimiseModelError.of('object-missing', { url });
  if (found.sizeBytes !== request.sizeBytes)
    throw corrupt(request, 'its size in bytes', request.sizeBytes, found.sizeBytes);
}

function corrupt(
  request: DownloadRequest,
  problem: string,
  expected: string | number,
  seen: string | number,
): OptimiseModelError {
  const url = objectUrl(request.store.url, request.key);
  return OptimiseModelError.of('download-corrupt', { url, problem, expected, seen });
}

/**
 * Downloads an object into memory.
 *
 * @param request - What to download.
 * @returns Its bytes, verified.
 * @throws What {@link downloadVerified} throws; `memory-too-small`.
 */
export async function downloadToMemory(request: DownloadRequest): Promise<Uint8Array> {
  const target = await reserveMemory(request);
  await downloadVerified({ ...request, sink: memorySink(target) });
  return target;
}

/** A size that cannot be had is most likely a wrong one: only then is it worth a request to ask. */
async function reserveMemory(request: DownloadRequest): Promise<Uint8Array> {
  try {
    return new Uint8Array(request.sizeBytes);
  } catch (cause) {
    await refuseOtherSize(request);
    const url = objectUrl(request.store.url, request.key);
    throw OptimiseModelError.of('memory-too-small', { url, sizeBytes: request.sizeBytes }, cause);
  }
}

/**
 * Downloads an object into a file: beside its target, renamed when it is verified. It is not flushed to the device:
 * ephemeral storage does not outlive the machine, and a cold start would wait for it.
 *
 * @param request - What to download, and the `path` it becomes.
 * @throws What {@link downloadVerified} throws, `file-system-refused`; nothing is left behind then.
 */
export async function downloadToFile(request: DownloadRequest & { readonly path: string }): Promise<void> {
  const { path } = request;
  let beside: string | undefined;
  try {
    beside = await prepareBeside(path);
    const file = await open(beside, 'wx+');
    try {
      await downloadVerified({ ...request, sink: fileSink(file.fd) });
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    if (beside !== undefined) await rm(beside, { force: true });
    throw translateFileSystemError(error, 'write', path);
  }
}
