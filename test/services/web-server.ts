import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer to a request; undefined leaves it to the files. */
export type Answer = (
  request: IncomingMessage,
) => { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | undefined;

/** A real web server on this machine, and what it was asked. */
export type WebServer = {
  /** Without a final slash. */
  readonly url: string;
  /** `METHOD /path?query RANGE` and the authorization of each request, in order. */
  readonly requests: { readonly line: string; readonly authorization: string | undefined }[];
  readonly stop: () => Promise<void>;
};

/**
 * Serves files by path, with ranges.
 *
 * @param files - Content by path, beginning with `/`; looked up at each request.
 * @param answer - Answers before the files do.
 * @returns The server.
 */
export async function startWebServer(
  files: ReadonlyMap<string, Uint8Array>,
  answer: Answer = () => undefined,
): Promise<WebServer> {
  const requests: WebServer['requests'] = [];
  const server = createServer((request, response) => {
    const { range = '', authorization } = request.headers;
    requests.push({ line: `${request.method} ${request.url} ${range}`.trim(), authorization });
    const given = answer(request);
    if (given !== undefined) return void response.writeHead(given.status, given.headers).end();
    const found = files.get(decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname));
    serve(found, request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, stop: () => end(server) };
}

function serve(found: Uint8Array | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (found === undefined) return void response.writeHead(404).end();
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const isHead = request.method === 'HEAD';
  if (first === undefined) {
    response.writeHead(200, { 'content-length': found.length });
    return void response.end(isHead ? undefined : found);
  }
  const part = found.subarray(Number(first), Number(last) + 1);
  const contentRange = `bytes ${first}-${Number(first) + part.length - 1}/${found.length}`;
  response.writeHead(206, { 'content-length': part.length, 'content-range': contentRange });
  response.end(isHead ? undefined : part);
}

async function end(server: Server): Promise<void> {
  const ended = new Promise((done) => server.close(done));
  server.closeAllConnections();
  await ended;
}
