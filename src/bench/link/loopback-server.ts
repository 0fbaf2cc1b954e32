import { once } from 'node:events';
import type { Stats } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join, sep } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { ByteRange } from '../../store/store.js';
import { parseByteRange } from './byte-range.js';
import { calibrateLink, trialLink } from './calibrate-link.js';
import { makeZeros, readCheckPath } from './link-check.js';
import { type LinkConnection, type LinkModel, makeSharedLink, type Transfer } from './link-model.js';
import { sendShaped } from './send-shaped.js';
import { waitUntil } from './wait-until.js';

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
  let link = makeSharedLink(trialLink);
  const connections = new WeakMap<Socket, LinkConnection>();
  const server = createServer((request, response) => {
    const transfer = connections.get(request.socket)?.begin(performance.now());
    if (transfer !== undefined) answer(request, response, roots, transfer).catch(() => response.destroy());
  });
  server.on('connection', (socket) => connections.set(socket, link.connect()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const endpoint = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  try {
    link = await calibrateLink(endpoint, model);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    endpoint,
    close,
    bucketOf: (folder) => `${bucketPrefix}${folders.indexOf(folder)}`,
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  roots: readonly string[],
  transfer: Transfer,
): Promise<void> {
  const checkBytes = readCheckPath(request.url ?? '');
  const path = checkBytes === null ? await locate(request.url ?? '', roots) : undefined;
  const file = path === undefined ? undefined : await open(path).catch(() => undefined);
  try {
    const stats = await file?.stat();
    await waitUntil(transfer.firstByteAtMs, true);
    if (checkBytes !== null) {
      response.writeHead(200, { 'content-length': checkBytes });
      await sendAll(makeZeros(checkBytes), checkBytes, response, transfer);
    } else if (file === undefined || stats?.isFile() !== true) response.writeHead(404).end();
    else await answerFromFile(request, response, { file, stats }, transfer);
  } finally {
    await file?.close();
  }
}

async function answerFromFile(
  request: IncomingMessage,
  response: ServerResponse,
  { file, stats }: { file: FileHandle; stats: Stats },
  transfer: Transfer,
): Promise<void> {
  const asked = parseByteRange(request.headers.range, stats.size);
  const range = asked === 'whole' ? { offset: 0, length: stats.size } : asked;
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${stats.size}` }).end();
    return;
  }
  writeHead(response, stats, range, asked !== 'whole');
  if (request.method === 'HEAD' || range.length === 0) response.end();
  else await sendAll(readRange(file, range), range.length, response, transfer);
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

function readRange(file: FileHandle, { offset, length }: ByteRange): AsyncIterable<Buffer> {
  const end = offset + length - 1;
  return file.createReadStream({ start: offset, end, highWaterMark: chunkBytes, autoClose: false });
}

async function sendAll(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  sizeBytes: number,
  response: ServerResponse,
  transfer: Transfer,
): Promise<void> {
  // Else the first byte would wait for the first piece.
  response.flushHeaders();
  let leftBytes = sizeBytes;
  for await (const chunk of source) {
    leftBytes -= chunk.length;
    if (!(await sendShaped(chunk, leftBytes === 0, response, transfer))) return;
  }
  response.end();
}
