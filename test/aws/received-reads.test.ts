import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpRequest, type HttpResponse } from '@smithy/core/protocols';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ReceivedBody } from '../../src/aws/read-connection.js';
import { askReceiving } from '../../src/aws/received-reads.js';
import { bodyLengthOf, parseResponseHead } from '../../src/aws/response-head.js';
import { hashBytes } from '../../src/lib/sha256.js';
import { seededBytes, temporaryFolder } from '../fixtures/opaque-artifact.js';

const content = seededBytes(5_000_000, 13);
const whole: RequestListener = (_request, response) => {
  response.setHeader('content-length', content.length).end(content);
};

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

type How = { readonly protocol?: string; readonly silenceMs?: number; readonly signal?: AbortSignal };

function ask(port: number, { protocol = 'http:', silenceMs = 60_000, signal }: How = {}) {
  const headers = { host: `127.0.0.1:${port}`, range: 'bytes=0-' };
  const query = { 'x-id': 'GetObject' };
  const about = { method: 'GET', hostname: '127.0.0.1', port, protocol, path: '/b/a%20b', query, headers };
  return askReceiving(new HttpRequest(about), { connectMs: 5_000, silenceMs }, signal);
}

/** Uses each chunk at once, as a download does. */
async function copyAll(response: HttpResponse | undefined): Promise<Buffer> {
  const bytes = Buffer.alloc(content.length);
  let done = 0;
  const { body } = response ?? {};
  if (!(body instanceof ReceivedBody)) throw new Error('no body to receive');
  await body.receive((chunk) => {
    bytes.set(chunk, done);
    done += chunk.length;
  });
  return bytes.subarray(0, done);
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

describe('a body that is received', () => {
  it('comes as it was sent, request after request over one connection', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url, request.headers.range);
      whole(request, response);
    });
    let connections = 0;
    server.on('connection', () => {
      connections += 1;
    });
    const port = await listen(server);
    for (let round = 0; round < 5; round += 1) {
      expect(hashBytes(await copyAll(await ask(port)))).toBe(hashBytes(content));
    }
    expect(connections).toBe(1);
    expect(seen.slice(0, 2)).toEqual(['/b/a%20b?x-id=GetObject', 'bytes=0-']);
  });

  it('waits for its reader, also when the server has closed the connection meanwhile', async () => {
    const small = content.subarray(0, 3000);
    const closing = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': small.length, connection: 'close' }).end(small);
    });
    const response = await ask(await listen(closing));
    await sleep(100);
    expect(await copyAll(response)).toEqual(small);
  });

  it('may be empty', async () => {
    const empty = createServer((_request, response) => response.setHeader('content-length', 0).end());
    const port = await listen(empty);
    expect(await copyAll(await ask(port))).toHaveLength(0);
    expect(await copyAll(await ask(port))).toHaveLength(0);
  });

  it('says so when it breaks, when its taker refuses, when it falls silent and when it is stopped', async () => {
    const half = (after: (destroy: () => void) => void): RequestListener => {
      return (_request, response) => {
        response.writeHead(200, { 'content-length': content.length });
        response.write(content.subarray(0, 100_000));
        after(() => response.destroy());
      };
    };
    const broken = await listen(createServer(half((destroy) => setTimeout(destroy, 20))));
    await expect(copyAll(await ask(broken))).rejects.toMatchObject({ code: 'ECONNRESET' });
    const silent = await listen(createServer(half(() => undefined)));
    const refusing = (await ask(silent))?.body as ReceivedBody;
    const full = new Error('full');
    const taken = refusing.receive(() => {
      throw full;
    });
    await expect(taken).rejects.toBe(full);
    const waiting = copyAll(await ask(silent, { silenceMs: 50 }));
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
    const stop = new AbortController();
    const stopped = copyAll(await ask(silent, { signal: stop.signal }));
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    await expect(ask(silent, { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is asked for once more when the server had closed the idle connection', async () => {
    let count = 0;
    const server = createServer((request, response) => {
      count += 1;
      // The second request on the same connection finds it closing.
      if (count === 2) request.socket.destroy();
      else whole(request, response);
    });
    const port = await listen(server);
    await copyAll(await ask(port));
    expect(hashBytes(await copyAll(await ask(port)))).toBe(hashBytes(content));
    expect(count).toBe(3);
  });

  it('ends the connection when nobody wants it', async () => {
    const port = await listen(createServer(whole));
    const body = (await ask(port))?.body as ReceivedBody;
    body.destroy();
    await expect(body.receive(() => undefined)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('comes over TLS too', async (context) => {
    const folder = await temporaryFolder();
    const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2'];
    try {
      execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    } catch {
      context.skip('openssl is not there');
    }
    const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, whole);
    const port = await listen(server);
    // A certificate that nobody vouches for is refused.
    await expect(ask(port, { protocol: 'https:' })).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    onTestFinished(() => {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    });
    for (let round = 0; round < 2; round += 1) {
      expect(hashBytes(await copyAll(await ask(port, { protocol: 'https:' })))).toBe(hashBytes(content));
    }
  });
});

describe('an answer that is no success', () => {
  it('is read whole', async () => {
    const refusing = createServer((_request, response) => {
      response.writeHead(404, { 'content-length': 5, 'x-amz-request-id': 'R' }).end('<no/>');
    });
    const port = await listen(refusing);
    for (let round = 0; round < 2; round += 1) {
      const response = await ask(port);
      expect(response).toMatchObject({ statusCode: 404, headers: { 'x-amz-request-id': 'R' } });
      expect(response?.body).not.toBeInstanceOf(ReceivedBody);
      expect(await readText(response?.body)).toBe('<no/>');
    }
  });

  it('has to be asked for the usual way when its length is not known, unless the server is in trouble', async () => {
    const port = await listen(createServer((_request, response) => response.writeHead(404).end('<no/>')));
    expect(await ask(port)).toBeUndefined();
    const busy = await listen(createServer((_request, response) => response.writeHead(503).end('<busy/>')));
    expect(await ask(busy)).toMatchObject({ statusCode: 503 });
  });
});

describe('the head of an answer', () => {
  const text =
    'HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nETag:  "e" \r\nx-a: 1\r\nX-A: 2\r\n\r\nhello';

  it('is whole at its blank line, wherever it was cut on the way', () => {
    fc.assert(
      fc.property(fc.nat(text.length), (length) => {
        const head = parseResponseHead(Buffer.from(text.slice(0, length)));
        if (length < text.length - 5) expect(head).toBeUndefined();
        else {
          expect(head).toEqual({
            status: 206,
            headers: { 'content-length': '5', etag: '"e"', 'x-a': '1, 2' },
            bodyStart: text.length - 5,
          });
        }
      }),
    );
  });

  it.each([
    'HTTP/1.0 200 OK\r\n\r\n',
    'SSH-2.0-x\r\n\r\n',
    'HTTP/1.1 200 OK\r\nno colon\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
  ])('is refused when it is none: %j', (malformed) => {
    expect(parseResponseHead(Buffer.from(malformed))).toBe('malformed');
  });

  it.each([
    ['content-length: 7', 7],
    ['content-length: -1', undefined],
    ['content-length: 7\r\ntransfer-encoding: chunked', undefined],
    ['x: y', undefined],
  ])('says how long the body is: %j', (headers, length) => {
    const head = parseResponseHead(Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`));
    expect(head !== undefined && head !== 'malformed' ? bodyLengthOf(head) : null).toBe(length);
  });
});
