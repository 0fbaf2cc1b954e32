import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Piece } from './http-framing.js';

/** Bytes that may wait here; beyond, the sender has to wait. More than passes while a timer is late. */
const mostWaitingBytes = 4 * 1024 * 1024;

/** What Node.js reads at once at most. */
const readBytes = 64 * 1024;

/** A piece and when it had arrived at the latest, on the clock of `performance.now()`. */
type ArrivedPiece = Piece & { readonly atMs: number };

/**
 * Receives the messages of a connection, and notes when each piece of them arrived, whenever it is taken.
 *
 * @param socket - The connection.
 * @param frame - Finds the messages in its bytes.
 * @returns The pieces; they end with the sender's end.
 */
export async function* receivePieces(
  socket: Socket,
  frame: (bytes: Buffer) => readonly Piece[],
): AsyncGenerator<ArrivedPiece> {
  let waiting: ArrivedPiece[] = [];
  let waitingBytes = 0;
  let isEnded = false;
  let wake = (): void => {};
  let readAtMs = performance.now();
  socket.on('data', (bytes) => {
    // A full read found more bytes waiting than it could take: this process is late, not the sender.
    const atMs = bytes.length < readBytes ? performance.now() : readAtMs;
    readAtMs = performance.now();
    for (const piece of frame(bytes)) waiting.push({ ...piece, atMs });
    waitingBytes += bytes.length;
    if (waitingBytes > mostWaitingBytes) socket.pause();
    wake();
  });
  const end = (): void => {
    isEnded = true;
    wake();
  };
  socket.on('end', end).on('close', end);
  for (;;) {
    const taken = waiting;
    waiting = [];
    for (const piece of taken) {
      yield piece;
      waitingBytes -= piece.bytes.length;
      if (waitingBytes <= mostWaitingBytes) socket.resume();
    }
    if (waiting.length > 0) continue;
    if (isEnded) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
