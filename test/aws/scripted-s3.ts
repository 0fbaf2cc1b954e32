import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** One request as the script sees it. */
export type S3Call = {
  /** `create`, `part N`, `complete`, `abort`, `parts`, `uploads`, `put`, `head`, `get` or `delete`. */
  readonly call: string;
  readonly body: Buffer;
  /** The `Range` header, empty without one. */
  readonly range: string;
  /** The `x-amz-checksum-crc32` header, empty without one. */
  readonly crc32: string;
  readonly headers: IncomingHttpHeaders;
  /** Path and query. */
  readonly url: string;
};

/** What the script answers; headers may be left out. */
export type S3Answer = {
  readonly status: number;
  readonly body?: string | Buffer;
  /** Never answer. */
  readonly hangs?: boolean;
  /** Break the connection instead of answering. */
  readonly resets?: boolean;
  /** Answer after this time. */
  readonly delayMs?: number;
  /** Break the connection after this many bytes of the body. */
  readonly breakAfterBytes?: number;
  /** How long it says nothing before it breaks; 30 ms when not given. */
  readonly breakAfterMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

function nameCall(method: string, query: URLSearchParams): string {
  if (method === 'POST') return query.has('uploads') ? 'create' : 'complete';
  if (method === 'PUT') return query.has('partNumber') ? `part ${query.get('partNumber')}` : 'put';
  if (method === 'DELETE') return query.has('uploadId') ? 'abort' : 'delete';
  if (method === 'GET' && query.has('uploadId')) return 'parts';
  if (method === 'GET' && query.has('uploads')) return 'uploads';
  return method.toLowerCase();
}

const usual: Readonly<Record<string, S3Answer>> = {
  create: {
    status: 200,
    body: '<InitiateMultipartUploadResult><UploadId>U1</UploadId></InitiateMultipartUploadResult>',
  },
  complete: {
    status: 200,
    body: '<CompleteMultipartUploadResult><ETag>"e-3"</ETag></CompleteMultipartUploadResult>',
  },
  abort: { status: 204 },
  uploads: { status: 200, body: '<ListMultipartUploadsResult></ListMultipartUploadsResult>' },
  parts: { status: 404, body: errorBody('NoSuchUpload') },
};

/** An S3 error document. */
export function errorBody(code: string): string {
  return `<Error><Code>${code}</Code><Message>scripted ${code}</Message></Error>`;
}

/** Answers a request, or leaves it to the usual answer. */
export type S3Script = (call: S3Call) => S3Answer | undefined;

/** A server that answers as told. */
export type ScriptedS3 = {
  readonly endpoint: string;
  /** The names of all calls so far. */
  readonly calls: string[];
  readonly stop: () => void;
};

/**
 * Starts a server that answers S3 requests as told: for the refusals that no real server can be brought to. It stops
 * after the test.
 *
 * @param script - What it answers.
 * @returns The server.
 */
export async function startScriptedS3(script: S3Script): Promise<ScriptedS3> {
  const served = await serveScriptedS3(script);
  onTestFinished(served.stop);
  return served;
}

/**
 * Starts such a server for many tests.
 *
 * @param script - What it answers.
 * @returns The server; who started it stops it.
 */
export async function serveScriptedS3(script: S3Script): Promise<ScriptedS3> {
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const call = nameCall(request.method ?? '', new URL(request.url ?? '', 'http://x').searchParams);
    calls.push(call);
    const answer = script({
      call,
      body: Buffer.concat(chunks),
      range: request.headers.range ?? '',
      crc32: String(request.headers['x-amz-checksum-crc32'] ?? ''),
      headers: request.headers,
      url: request.url ?? '',
    }) ??
      usual[call] ?? { status: 200, headers: { etag: '"e"' } };
    if (answer.hangs) return;
    if (answer.resets) {
      request.socket.destroy();
      return;
    }
    if (answer.delayMs !== undefined) await sleep(answer.delayMs);
    response.writeHead(answer.status, { 'content-type': 'application/xml', ...answer.headers });
    if (answer.breakAfterBytes === undefined) response.end(answer.body);
    else {
      response.write(Buffer.from(answer.body ?? '').subarray(0, answer.breakAfterBytes));
      setTimeout(() => response.destroy(), answer.breakAfterMs ?? 30).unref();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, stop };
}
