import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import type { Writable } from 'node:stream';
import type { Transfer } from './link-model.js';
import { waitUntil } from './wait-until.js';

/** What may be under way to a receiver that does not read, like a TCP window. */
const windowBytes = 1024 * 1024;

/**
 * Lets some bytes of a reply pass when its link does.
 *
 * @param bytes - They.
 * @param isExact - Whether they must not come late; see {@link waitUntil}.
 * @param sink - Where they go.
 * @param transfer - The reply on its link.
 * @returns False when the receiver has gone away.
 */
export async function sendShaped(
  bytes: Uint8Array,
  isExact: boolean,
  sink: Writable,
  transfer: Transfer,
): Promise<boolean> {
  await waitUntil(transfer.send(bytes.length), isExact);
  if (sink.destroyed) return false;
  sink.write(bytes);
  if (sink.writableLength < windowBytes) return true;
  await waitForRoom(sink);
  transfer.resumeAt(performance.now());
  return !sink.destroyed;
}

/** Waits for the receiver, or for its going away. */
async function waitForRoom(sink: Writable): Promise<void> {
  const waiting = new AbortController();
  try {
    const { signal } = waiting;
    await Promise.race([once(sink, 'drain', { signal }), once(sink, 'close', { signal })]);
  } finally {
    waiting.abort();
  }
}
