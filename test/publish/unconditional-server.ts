import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { signAgain } from '../services/sign-again.js';
import type { RunningS3 } from '../services/versitygw.mjs';

/** What a server does with a header that it does not know: nothing, or an answer. */
export type Habit = 'ignores' | { readonly status: number; readonly code: string; readonly message: string };

const conditions = ['if-match', 'if-none-match'];

/**
 * Puts a server without conditional writes in front of a real one.
 *
 * @returns Its address.
 */
export async function startUnconditional(
  s3: RunningS3,
  habit: Habit,
  unknown: readonly string[] = conditions,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await readAll(request);
    const isAsked = unknown.some((name) => request.headers[name] !== undefined);
    if (isAsked && habit !== 'ignores') {
      response.writeHead(habit.status, { 'content-type': 'application/xml' });
      response.end(`<Error><Code>${habit.code}</Code><Message>${habit.message}</Message></Error>`);
      return;
    }
    const { connection: _connection, expect: _expect, ...sent } = request.headers;
    const { method = '', url = '' } = request;
    const headers = isAsked
      ? signAgain({ method, path: url, headers: forget(sent, unknown) }, s3.secretAccessKey)
      : sent;
    const { hostname: host, port } = new URL(s3.endpoint);
    const upstream = openRequest({ host, port, agent: false, method, path: url, headers }, async (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      response.end(await readAll(answer));
    });
    upstream.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function forget(headers: IncomingHttpHeaders, unknown: readonly string[]): IncomingHttpHeaders {
  const left = Object.fromEntries(Object.entries(headers).filter(([name]) => !unknown.includes(name)));
  const authorization = String(headers.authorization).replace(
    /SignedHeaders=([^,]+)/,
    (_all, names: string) =>
      `SignedHeaders=${names
        .split(';')
        .filter((name) => !unknown.includes(name))
        .join(';')}`,
  );
  return { ...left, authorization };
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
