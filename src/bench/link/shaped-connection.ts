import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { makeFramer, type Piece } from './http-framing.js';
import { isInterim, lengthOfReply, lengthOfRequest, readRequestHead, readStatus } from './http-heads.js';
import type { LinkConnection, Transfer } from './link-model.js';
import { receivePieces } from './receive-pieces.js';
import { sendShaped } from './send-shaped.js';
import { waitUntil } from './wait-until.js';

/** A request whose final reply has not begun. */
type OpenRequest = { readonly method: string; readonly headAtMs: number; endAtMs: number | null };

/**
 * Passes one client's connection on to a server: requests at once, replies when the link lets them.
 *
 * @param client - Its socket, with nothing read yet.
 * @param dial - Opens the connection to the server that answers; it is told the path of the first request.
 * @param link - The client's connection on the link.
 */
export function shapeConnection(client: Socket, dial: (path: string) => Socket, link: LinkConnection): void {
  const requests: OpenRequest[] = [];
  let server: Socket | null = null;
  const frame = makeFramer(lengthOfRequest);
  client.on('data', (bytes) => {
    for (const piece of frame(bytes)) {
      noteRequest(piece, requests);
      if (server === null) {
        server = dial(readRequestHead(piece.head ?? '').path);
        bindSockets(client, server);
        passReplies(server, client, requests, link).catch(() => client.destroy());
      }
      if (!server.write(piece.bytes)) client.pause();
    }
  });
  client.on('end', () => (server ?? client).end());
  client.on('error', () => client.destroy());
}

/** Who goes away takes the other side with it. */
function bindSockets(client: Socket, server: Socket): void {
  server.on('drain', () => client.resume());
  server.on('error', () => client.destroy());
  client.on('close', () => server.destroy());
}

function noteRequest({ head, isEnd }: Piece, requests: OpenRequest[]): void {
  const nowMs = performance.now();
  if (head !== null) requests.push({ method: readRequestHead(head).method, headAtMs: nowMs, endAtMs: null });
  const last = requests.at(-1);
  if (isEnd && last !== undefined) last.endAtMs = nowMs;
}

async function passReplies(
  server: Socket,
  client: Socket,
  requests: OpenRequest[],
  link: LinkConnection,
): Promise<void> {
  /** When the requests of the heads found so far had arrived. */
  const askedAtMs: number[] = [];
  const frame = makeFramer((head) => {
    const request = isInterim(readStatus(head)) ? requests[0] : requests.shift();
    askedAtMs.push(request?.endAtMs ?? request?.headAtMs ?? performance.now());
    return lengthOfReply(head, request?.method ?? '');
  });
  let transfer: Transfer | null = null;
  for await (const { head, bytes, isEnd, atMs } of receivePieces(server, frame)) {
    if (head !== null || transfer === null) {
      transfer = link.begin(askedAtMs.shift() ?? atMs);
      await waitUntil(transfer.firstByteAtMs, true);
    }
    transfer.resumeAt(atMs);
    if (!(await sendShaped(bytes, isEnd || head !== null, client, transfer))) return;
  }
  client.end();
}
