import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { checkPath } from './link-check.js';

/** What a link was seen to do. */
export type AchievedLink = { readonly bytesPerSecond: number; readonly latencyMs: number };

/** What to ask of a link to measure it. */
export type LinkProbe = {
  /** Over all connections together. */
  readonly sizeBytes: number;
  readonly connections: number;
  /** Small requests, one after the other; their median is the latency. */
  readonly requests: number;
};

const bufferBytes = 256 * 1024;
const headEnd = '\r\n\r\n';

/**
 * Measures a link through a shaper, with as little work between the two as there can be: sockets, and bytes that are
 * thrown away unread.
 *
 * @param endpoint - Address of the shaper.
 * @param probe - What to ask of it.
 * @param signal - Ends the measurement.
 * @returns Bytes per second between the first and the last byte of all connections, and the time from a request to the
 *   first byte of its reply, milliseconds.
 * @throws Whatever the connections do.
 */
export async function measureLink(
  endpoint: string,
  { sizeBytes, connections, requests }: LinkProbe,
  signal: AbortSignal,
): Promise<AchievedLink> {
  signal.throwIfAborted();
  const sockets: Socket[] = [];
  const stop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  signal.addEventListener('abort', stop);
  try {
    const latencyMs = middle(await askInTurn(endpoint, requests, sockets));
    const share = Math.ceil(sizeBytes / connections);
    const downloads = await Promise.all(
      Array.from({ length: connections }, () => askOnce(endpoint, share, sockets)),
    );
    const fromMs = Math.min(...downloads.map(({ firstAtMs }) => firstAtMs));
    const toMs = Math.max(...downloads.map(({ lastAtMs }) => lastAtMs));
    return { bytesPerSecond: (share * connections * 1000) / (toMs - fromMs), latencyMs };
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/**
 * Measures the latency of a shaper.
 *
 * @param endpoint - Its address.
 * @param requests - How many small requests, one after the other on one connection.
 * @returns The time from each request to the first byte of its reply, milliseconds, in their order.
 * @throws Whatever the connection does.
 */
export async function measureLatencies(endpoint: string, requests: number): Promise<readonly number[]> {
  const sockets: Socket[] = [];
  try {
    return await askInTurn(endpoint, requests, sockets);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** The socket is noted, to be ended with the measurement. */
async function askInTurn(endpoint: string, requests: number, sockets: Socket[]): Promise<readonly number[]> {
  const { hostname: host, port } = new URL(endpoint);
  const socket = connect({ host, port: Number(port), noDelay: true });
  sockets.push(socket);
  await once(socket, 'connect');
  // The first one also pays for what the connection needs once.
  await askAgain(socket, endpoint);
  const times: number[] = [];
  for (let request = 0; request < requests; request += 1) times.push(await askAgain(socket, endpoint));
  return times;
}

function middle(times: readonly number[]): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? Number.NaN;
}

async function askAgain(socket: Socket, endpoint: string): Promise<number> {
  const sentMs = performance.now();
  let heldMs = Number.NaN;
  const waiting = new AbortController();
  const gone = (): void => waiting.abort(new Error('The link ended before its reply.'));
  socket.on('close', gone).write(requestFor(endpoint, 1));
  try {
    for (;;) {
      const [bytes] = (await once(socket, 'data', { signal: waiting.signal })) as [Buffer];
      if (Number.isNaN(heldMs)) heldMs = performance.now() - sentMs;
      // The whole body is one zero, which no head has in it.
      if (bytes.at(-1) === 0) return heldMs;
    }
  } finally {
    socket.off('close', gone);
  }
}

function requestFor(endpoint: string, sizeBytes: number): string {
  return `GET ${checkPath(sizeBytes)} HTTP/1.1\r\nHost: ${new URL(endpoint).host}\r\n\r\n`;
}

/** One connection with one reply; the first and the last of its bytes. */
function askOnce(
  endpoint: string,
  sizeBytes: number,
  sockets: Socket[],
): Promise<{ firstAtMs: number; lastAtMs: number }> {
  const { hostname: host, port } = new URL(endpoint);
  return new Promise((resolve, reject) => {
    let [firstAtMs, leftBytes] = [Number.NaN, sizeBytes];
    const socket = connect({
      host,
      port: Number(port),
      noDelay: true,
      // One buffer for all that comes, because nobody looks at it.
      onread: {
        buffer: Buffer.alloc(bufferBytes),
        callback: (count, buffer) => {
          const nowMs = performance.now();
          if (Number.isNaN(firstAtMs)) {
            firstAtMs = nowMs;
            leftBytes += Buffer.from(buffer.buffer, 0, count).indexOf(headEnd) + headEnd.length;
          }
          leftBytes -= count;
          if (leftBytes === 0) {
            resolve({ firstAtMs, lastAtMs: nowMs });
            socket.destroy();
          }
          return true;
        },
      },
    });
    sockets.push(socket);
    socket.on('error', reject).on('close', () => reject(new Error('The link ended before its last byte.')));
    socket.write(requestFor(endpoint, sizeBytes));
  });
}
