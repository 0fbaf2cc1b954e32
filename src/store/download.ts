import { OptimiseModelError } from '../messages/error.js';
import { memoryTarget } from './download-target.js';
import {
  type ObjectToDownload,
  ObjectTransfer,
  refuseOtherSize,
  type TransferContext,
} from './object-transfer.js';
import { planParts } from './plan-parts.js';
import { RetryBudget } from './retry-budget.js';
import type { ByteRange, ReadableStore } from './store.js';
import { objectUrl } from './store-url.js';

/** How objects are downloaded. */
export type DownloadSettings = {
  readonly store: ReadableStore;
  readonly partSizeBytes: number;
  /** Ranges of all objects together that are read at the same time, ≥ 1. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Bytes received so far of all objects together, growing. */
  readonly onProgress: (receivedBytes: number) => void;
};

/**
 * Downloads objects by parallel ranges and compares each with what it must be; SHA-256 is computed while the bytes
 * arrive. The ranges of all objects share one limit and are asked for in order, so that many small objects are as
 * parallel as one large one, and no more targets are open than ranges are read. What is in memory is what has just
 * arrived: some 128 KiB for each range, whatever the size of parts and objects.
 *
 * @param objects - What to download.
 * @param settings - From where and how.
 * @throws `download-corrupt` when an object is shorter, longer or different; `object-changed` when it is overwritten
 *   meanwhile; `object-missing`; what the transport and the targets say; the signal's reason. All reading has ended and
 *   all targets are closed by then.
 */
export async function downloadObjects(
  objects: readonly ObjectToDownload[],
  settings: DownloadSettings,
): Promise<void> {
  const { store, partSizeBytes, concurrency, onProgress } = settings;
  const stop = new AbortController();
  const signal = AbortSignal.any([settings.signal, stop.signal]);
  signal.throwIfAborted();
  let receivedBytes = 0;
  const onReceived = (sizeBytes: number): void => {
    receivedBytes += sizeBytes;
    onProgress(receivedBytes);
  };
  const transfers = objects.map((object) => new ObjectTransfer(object));
  const queue = planReads(objects, transfers, partSizeBytes);
  const context = { store, retries: new RetryBudget(), signal, onReceived };
  const count = Math.min(concurrency, countReads(objects, partSizeBytes));
  const readers = Array.from({ length: count }, () => readAll(queue, context));
  try {
    await Promise.all(readers);
  } catch (error) {
    stop.abort();
    await Promise.allSettled(readers);
    await Promise.allSettled(transfers.map((transfer) => transfer.close()));
    throw error;
  }
}

type Read = { readonly transfer: ObjectTransfer; readonly part: ByteRange | undefined };

async function readAll(queue: Iterable<Read>, context: TransferContext): Promise<void> {
  for (const { transfer, part } of queue) {
    await transfer.read(part, context);
    context.signal.throwIfAborted();
  }
}

/** Made one by one, so that a size beyond reason costs nothing. */
function* planReads(
  objects: readonly ObjectToDownload[],
  transfers: readonly ObjectTransfer[],
  partSizeBytes: number,
): Generator<Read, undefined> {
  for (const [index, transfer] of transfers.entries()) {
    const sizeBytes = objects[index]?.sizeBytes ?? 0;
    if (sizeBytes === 0) yield { transfer, part: undefined };
    for (const part of planParts(sizeBytes, partSizeBytes)) yield { transfer, part };
  }
}

function countReads(objects: readonly ObjectToDownload[], partSizeBytes: number): number {
  return objects.reduce((sum, object) => sum + Math.max(1, Math.ceil(object.sizeBytes / partSizeBytes)), 0);
}

/**
 * Downloads objects into memory.
 *
 * @param objects - What to download.
 * @param settings - From where and how.
 * @returns The bytes of each, verified, in the same order.
 * @throws What {@link downloadObjects} throws; `memory-too-small`.
 */
export async function downloadToMemory(
  objects: readonly Omit<ObjectToDownload, 'open'>[],
  settings: DownloadSettings,
): Promise<readonly Uint8Array[]> {
  const contents: Uint8Array[] = [];
  const open = async (index: number, signal: AbortSignal) => {
    const object = objects[index];
    const bytes =
      object === undefined ? new Uint8Array() : await reserveMemory(object, settings.store, signal);
    contents[index] = bytes;
    return memoryTarget(bytes, settings.partSizeBytes);
  };
  const targets = objects.map((object, index) => ({
    ...object,
    open: (signal: AbortSignal) => open(index, signal),
  }));
  await downloadObjects(targets, settings);
  return contents;
}

/** A size that cannot be had is most likely a wrong one: only then is it worth a request to ask. */
async function reserveMemory(
  { key, sizeBytes }: Omit<ObjectToDownload, 'open'>,
  store: ReadableStore,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    return new Uint8Array(sizeBytes);
  } catch (cause) {
    await refuseOtherSize(store, { key, sizeBytes }, signal);
    const url = objectUrl(store.url, key);
    throw OptimiseModelError.of('memory-too-small', { url, sizeBytes }, cause);
  }
}
