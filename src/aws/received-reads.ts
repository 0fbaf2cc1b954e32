import { Readable } from 'node:stream';
import type { HttpRequest } from '@smithy/core/protocols';
import { buildQueryString, HttpResponse } from '#aws-sdk/read';
import { ReadConnection, type ReadLimits, ReceivedBody } from './read-connection.js';
import { bodyLengthOf, type ResponseHead } from './response-head.js';

const mostIdle = 64;
/** An error of S3 is a few hundred bytes of XML. */
const longestErrorBytes = 1024 ** 2;

const idle = new Map<string, ReadConnection[]>();

/**
 * Sends a GET whose body is to be received: over a connection of its own kind, where no byte of the body is copied.
 *
 * @param request - Signed.
 * @param limits - How long to connect, and how long nothing may move.
 * @param signal - Ends the request and the receiving.
 * @returns The answer, with a {@link ReceivedBody} when it is a success; undefined when it has to be asked for the
 *   usual way, since its length is not known beforehand.
 * @throws What broke the connection.
 */
export async function askReceiving(
  request: HttpRequest,
  limits: ReadLimits,
  signal: AbortSignal | undefined,
): Promise<HttpResponse | undefined> {
  const text = printRequest(request);
  if (text === undefined) return undefined;
  const { connection, head } = await ask(request, text, limits, signal);
  const isMeasured = head !== undefined && bodyLengthOf(head) !== undefined;
  if (head === undefined || (!isMeasured && !isClear(head.status))) return undefined;
  const { status: statusCode, headers } = head;
  const isSuccess = statusCode < 300;
  const body = isSuccess ? new ReceivedBody(connection) : await collect(connection, isMeasured, head);
  return new HttpResponse({ statusCode, headers: { ...headers }, body });
}

/** The status says it all: no such range, not that version, or a server in trouble that should not be asked at once again. */
function isClear(status: number): boolean {
  return status === 412 || status === 416 || status >= 500;
}

/** Closes the connections that no answer is read from. */
export function closeIdleReads(): void {
  for (const connections of idle.values()) for (const connection of connections) connection.giveUp();
  idle.clear();
}

type Asked = { readonly connection: ReadConnection; readonly head: ResponseHead | undefined };

async function ask(
  request: HttpRequest,
  text: string,
  limits: ReadLimits,
  signal: AbortSignal | undefined,
): Promise<Asked> {
  const secure = request.protocol === 'https:';
  const hostname = request.hostname.replace(/^\[(.*)\]$/, '$1');
  const target = { secure, hostname, port: request.port ?? (secure ? 443 : 80) };
  const place = JSON.stringify(target);
  const rested = takeIdle(place);
  if (rested !== undefined) {
    try {
      return { connection: rested, head: await rested.ask(text, signal) };
    } catch (error) {
      // A server closes what is idle when it likes, also while a request is on its way.
      if (!rested.wasClosedUnasked) throw error;
    }
  }
  const connection = new ReadConnection(target, limits, (free) => rest(place, free));
  return { connection, head: await connection.ask(text, signal) };
}

function takeIdle(place: string): ReadConnection | undefined {
  const connections = idle.get(place) ?? [];
  for (let found = connections.pop(); found !== undefined; found = connections.pop()) {
    if (found.isFree) return found;
  }
  return undefined;
}

function rest(place: string, connection: ReadConnection): void {
  const connections = idle.get(place)?.filter((each) => each.isFree) ?? [];
  connections.push(connection);
  while (connections.length > mostIdle) connections.shift()?.giveUp();
  idle.set(place, connections);
}

async function collect(
  connection: ReadConnection,
  isMeasured: boolean,
  { headers }: ResponseHead,
): Promise<Readable> {
  if (!isMeasured) return Readable.from([]);
  if (Number(headers['content-length']) > longestErrorBytes)
    throw new Error('the server sent an endless error');
  const chunks: Buffer[] = [];
  await connection.receive((chunk) => void chunks.push(Buffer.from(chunk)));
  return Readable.from([Buffer.concat(chunks)], { objectMode: false });
}

/** Undefined for what is no plain GET. */
function printRequest({ method, path, query, headers, body }: HttpRequest): string | undefined {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const queryText = buildQueryString(query);
  const text = [`GET ${path}${queryText === '' ? '' : `?${queryText}`} HTTP/1.1`, ...lines];
  if (method !== 'GET' || body || text.some((line) => /[\r\n]/.test(line))) return undefined;
  return `${text.join('\r\n')}\r\n\r\n`;
}
