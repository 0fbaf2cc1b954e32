import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { receivePieces } from '../../src/bench/link/receive-pieces.js';

const fullRead = 64 * 1024;

afterEach(() => {
  vi.restoreAllMocks();
});

/** A connection whose bytes come when the test says so, on its own clock. */
function fakeSocket() {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const calls: string[] = [];
  const socket = Object.assign(new EventEmitter(), {
    pause: () => void calls.push('pause'),
    resume: () => void calls.push('resume'),
  });
  const read = (atMs: number, sizeBytes: number) => {
    nowMs = atMs;
    socket.emit('data', Buffer.alloc(sizeBytes));
  };
  return { socket: socket as unknown as Socket, read, calls };
}

const frame = (bytes: Buffer) => [{ bytes, head: null, isEnd: false }];

describe('receivePieces', () => {
  it('counts bytes as arrived when they are read, however late they are taken', async () => {
    const { socket, read } = fakeSocket();
    const pieces = receivePieces(socket, frame);
    const first = pieces.next();
    read(10, 100);
    read(20, 200);
    socket.emit('end');
    expect((await first).value).toMatchObject({ atMs: 10 });
    expect((await pieces.next()).value).toMatchObject({ atMs: 20 });
    expect((await pieces.next()).done).toBe(true);
  });

  it('counts a full read as arrived at the read before: what had to wait was held up here', async () => {
    const { socket, read } = fakeSocket();
    const pieces = receivePieces(socket, frame);
    const first = pieces.next();
    read(10, fullRead - 1);
    read(90, fullRead);
    read(91, fullRead);
    expect((await first).value).toMatchObject({ atMs: 10 });
    expect((await pieces.next()).value).toMatchObject({ atMs: 10 });
    expect((await pieces.next()).value).toMatchObject({ atMs: 90 });
    socket.emit('end');
  });

  it('makes the sender wait while too much is not taken, and go on after', async () => {
    const { socket, read, calls } = fakeSocket();
    const pieces = receivePieces(socket, frame);
    const first = pieces.next();
    for (let index = 0; index < 65; index += 1) read(index, fullRead);
    expect(calls).toEqual(['pause']);
    await first;
    await pieces.next();
    expect(calls).toEqual(['pause', 'resume']);
  });
});
