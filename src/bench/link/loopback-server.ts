import { once } from 'node:events';
import type { Stats } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ByteRange } from '../../store/store.js';
import { parseByteRange } from './byte-range.js';
import { type LinkModel, makeSharedLink, type SharedLink } from './link-model.js';

/** A running server on this machine's loopback interface. */
export type LoopbackServer = {
  /** Its address, without a final slash; S3 clients that address buckets by path take it as an endpoint. */
  readonly endpoint: string;
  /**
   * What the paths of a folder's files begin with: to an S3 client, their bucket.
   *
   * @param folder - One of the folders it was started with.
   */
  readonly bucketOf: (folder: string) => string;
  /** Ends every connection and the server. */
  readonly close: () => Promise<void>;
};

/** A bucket's name has at least three letters. */
const bucketPrefix = 'store-';
const chunkBytes = 64 * 1024;
/** What may be under way to a receiver that does not read, like a TCP window. */
const windowBytes = 1024 * 1024;

/**
 * Serves folders over HTTP through a link model: each reply waits for the latency, all replies share the rate.
 *
 * It reads `HEAD`, `GET` and single ranges, which is all that the loader asks of S3 too (signatures are not looked at),
 * listens on 127.0.0.1 only and serves nothing outside the folders.
 *
 * @param folders - Absolute folders to serve.
 * @param model - The link that every byte of every folder passes.
 * @returns The running server.
 */
export async function startLoopbackServer(
  folders: readonly string[],
  model: LinkModel,
): Promise<LoopbackServer> {
  const roots = await Promise.all(folders.map((folder) => realpath(folder)));
  const link = makeSharedLink(model);
  const server = createServer((request, response) => {
    answer(request, response, roots, link).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucketOf: (folder) => `${bucketPrefix}${folders.indexOf(folder)}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  roots: readonly string[],
  link: SharedLink,
): Promise<void> {
  const transfer = link.begin(performance.now());
  const path = await locate(request.url ?? '', roots);
  const file = path === undefined ? undefined : await open(path).catch(() => undefined);
  try {
    await waitUntil(transfer.firstByteAtMs);
    const stats = await file?.stat();
    if (file === undefined || stats?.isFile() !== true) {
      response.writeHead(404).end();
      return;
    }
    const asked = parseByteRange(request.headers.range, stats.size);
    const range = asked === 'whole' ? { offset: 0, length: stats.size } : asked;
    if (range === 'unsatisfiable') {
      response.writeHead(416, { 'content-range': `bytes */${stats.size}` }).end();
      return;
    }
    writeHead(response, stats, range, asked !== 'whole');
    if (request.method === 'HEAD' || range.length === 0) response.end();
    else await sendRange(file, range, response, transfer);
  } finally {
    await file?.close();
  }
}

async function locate(url: string, roots: readonly string[]): Promise<string | undefined> {
  const [, bucket = '', ...segments] = decodeURIComponent(new URL(url, 'http://loopback').pathname).split(
    '/',
  );
  const root = roots.find((_root, index) => bucket === `${bucketPrefix}${index}`);
  if (root === undefined) return undefined;
  // Resolved, so that neither dots nor a link inside the folder lead out of it.
  const path = await realpath(join(root, ...segments)).catch(() => undefined);
  return path?.startsWith(root + sep) === true ? path : undefined;
}

function writeHead(response: ServerResponse, stats: Stats, range: ByteRange, isPart: boolean): void {
  const last = range.offset + range.length - 1;
  // A client that asked for a range expects one, even when it is all there is.
  response.writeHead(isPart ? 206 : 200, {
    'accept-ranges': 'bytes',
    'content-length': range.length,
    etag: `"${stats.size.toString(16)}-${Math.trunc(stats.mtimeMs).toString(16)}"`,
    ...(isPart ? { 'content-range': `bytes ${range.offset}-${last}/${stats.size}` } : {}),
  });
}

async function sendRange(
  file: FileHandle,
  range: ByteRange,
  response: ServerResponse,
  transfer: ReturnType<SharedLink['begin']>,
): Promise<void> {
  const source = file.createReadStream({
    start: range.offset,
    end: range.offset + range.length - 1,
    highWaterMark: chunkBytes,
    autoClose: false,
  });
  for await (const chunk of source) {
    await waitUntil(transfer.send(chunk.length));
    if (response.destroyed) return;
    response.write(chunk);
    if (response.writableLength < windowBytes) continue;
    await waitForRoom(response);
    transfer.resumeAt(performance.now());
  }
  response.end();
}

/** Waits for the receiver, or for its going away. */
async function waitForRoom(response: ServerResponse): Promise<void> {
  const waiting = new AbortController();
  try {
    const { signal } = waiting;
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  } finally {
    waiting.abort();
  }
}

async function waitUntil(atMs: number): Promise<void> {
  const leftMs = atMs - performance.now();
  // Rounded up: a timer cuts fractions off, and bytes must not arrive before the link would have them.
  if (leftMs > 0) await sleep(Math.ceil(leftMs));
}
