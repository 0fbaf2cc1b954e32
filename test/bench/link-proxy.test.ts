import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkPath } from '../../src/bench/link/link-check.js';
import type { LinkModel } from '../../src/bench/link/link-model.js';
import { measureLink } from '../../src/bench/link/measure-link.js';
import { startShapedProxy } from '../../src/bench/link/shaped-proxy.js';

const wide: LinkModel = {
  latencyMs: 2,
  jitterMs: 1,
  bytesPerSecond: 1e9,
  perConnectionBytesPerSecond: null,
};
const content = Buffer.from(Array.from({ length: 700_000 }, (_, index) => (index * 7) % 251));
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts a server with a proxy in front. */
async function proxying(answer: (request: IncomingMessage, response: ServerResponse) => void, model = wide) {
  const server: Server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close().closeAllConnections());
  const target = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const proxy = await startShapedProxy(target, model);
  closers.push(proxy.close);
  return { server, proxy };
}

type Reply = { status: number; headers: readonly string[]; body: Buffer };

function ask(
  url: string,
  options: { method?: string; agent?: Agent; body?: Buffer; headers?: Record<string, string> },
) {
  return new Promise<Reply>((resolve, reject) => {
    const { body, ...others } = options;
    request(url, others, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.rawHeaders,
          body: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end(body);
  });
}

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('startShapedProxy', () => {
  it('passes requests and replies unchanged, the Host header too', async () => {
    const seen: (readonly string[])[] = [];
    const { proxy } = await proxying((incoming, response) => {
      seen.push([incoming.method ?? '', incoming.url ?? '', ...incoming.rawHeaders]);
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        response.writeHead(201, 'Made', ['X-Hash', hash(Buffer.concat(chunks)), 'x-ODD', ' v']);
        response.end(content);
      });
    });
    const reply = await ask(`${proxy.endpoint}/a%20b?x=1&y`, {
      method: 'PUT',
      body: content,
      headers: { Host: 'other.example' },
    });
    expect(seen[0]?.slice(0, 4)).toEqual(['PUT', '/a%20b?x=1&y', 'Host', 'other.example']);
    expect([reply.status, reply.headers.slice(0, 4)]).toEqual([201, ['X-Hash', hash(content), 'x-ODD', 'v']]);
    expect(reply.body.equals(content)).toBe(true);
  });

  it('keeps a connection for request after request, of whatever kind', async () => {
    let connections = 0;
    const { server, proxy } = await proxying((incoming, response) => {
      if (incoming.method === 'HEAD') response.writeHead(200, { 'content-length': 12345 }).end();
      else if (incoming.url === '/missing') response.writeHead(404, { 'content-length': 4 }).end('none');
      else if (incoming.url === '/deleted') response.writeHead(204).end();
      else if (incoming.url === '/same') response.writeHead(304, { etag: '"x"' }).end();
      else response.write(content.subarray(0, 1000), () => response.end(content.subarray(1000)));
    });
    server.on('connection', () => {
      connections += 1;
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    closers.push(() => agent.destroy());
    const shapes: unknown[] = [];
    for (const [method, path] of [
      ['HEAD', '/'],
      ['GET', '/missing'],
      ['GET', '/chunked'],
      ['DELETE', '/deleted'],
      ['GET', '/same'],
      ['GET', '/chunked'],
    ] as const) {
      const { status, body } = await ask(proxy.endpoint + path, { method, agent });
      shapes.push([status, body.length]);
    }
    expect(shapes).toEqual([
      [200, 0],
      [404, 4],
      [200, content.length],
      [204, 0],
      [304, 0],
      [200, content.length],
    ]);
    expect(connections).toBe(1);
  });

  it('answers requests that are sent at once on one connection in their order', async () => {
    const { proxy } = await proxying((incoming, response) => response.end(`<${incoming.url}>`));
    const { hostname, port } = new URL(proxy.endpoint);
    const socket = connect(Number(port), hostname);
    closers.push(() => socket.destroy());
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString();
    });
    const last = 'Connection: close\r\n';
    for (const [path, header] of [
      ['/1', ''],
      ['/2', ''],
      ['/3', last],
    ])
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n`);
    await once(socket, 'end');
    expect(text.match(/<[^>]*>/g)).toEqual(['</1>', '</2>', '</3>']);
  });

  it('serves many connections at once, each its own bytes', async () => {
    const { proxy } = await proxying((incoming, response) =>
      response.end(content.subarray(Number(incoming.url?.slice(1)))),
    );
    const offsets = Array.from({ length: 40 }, (_, index) => index * 1000);
    const replies = await Promise.all(
      offsets.map((offset) => ask(`${proxy.endpoint}/${offset}`, { agent: new Agent() })),
    );
    expect(replies.every(({ body }, index) => body.equals(content.subarray(offsets[index])))).toBe(true);
  });

  it('breaks the connection when the server does, or is not there', async () => {
    const { server, proxy } = await proxying((_incoming, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy());
    });
    await expect(ask(proxy.endpoint, {})).rejects.toThrow(/aborted|hang up|ECONNRESET/);
    server.close().closeAllConnections();
    await expect(ask(proxy.endpoint, { agent: new Agent() })).rejects.toThrow(/hang up|ECONNRESET/);
  });

  it('lets the server know when a client goes away', async () => {
    const { server, proxy } = await proxying((_incoming, response) => {
      response.writeHead(200).write('x');
    });
    const ended = new Promise((resolve) => {
      server.on('connection', (socket) => socket.on('close', resolve));
    });
    const asked = request(proxy.endpoint, (response) => response.socket.resetAndDestroy());
    asked.on('error', () => {}).end();
    await ended;
  });

  it('holds back the server when a receiver does not read', async () => {
    let writtenBytes = 0;
    const { proxy } = await proxying((_incoming, response) => {
      const piece = Buffer.alloc(1 << 20);
      const write = (): void => {
        writtenBytes += piece.length;
        if (writtenBytes < 200 << 20) response.write(piece, write);
        else response.end();
      };
      write();
    });
    await new Promise<void>((resolve, reject) => {
      request(proxy.endpoint, (response) => {
        response.pause();
        let before = -1;
        const timer = setInterval(() => {
          if (before === writtenBytes && writtenBytes > 0) {
            clearInterval(timer);
            response.destroy();
            resolve();
          }
          before = writtenBytes;
        }, 50);
      })
        .on('error', reject)
        .end();
    });
    expect(writtenBytes).toBeLessThan(100 << 20);
  });

  it('makes up bytes to be measured by, whatever the server has', async () => {
    const { proxy } = await proxying((_incoming, response) => response.writeHead(403).end());
    const reply = await ask(proxy.endpoint + checkPath(200_000), {});
    expect([reply.status, reply.body.equals(Buffer.alloc(200_000))]).toEqual([200, true]);
    const probe = { sizeBytes: 400_000, connections: 3, requests: 3 };
    const { bytesPerSecond, latencyMs } = await measureLink(
      proxy.endpoint,
      probe,
      new AbortController().signal,
    );
    expect(latencyMs).toBeGreaterThan(0);
    expect(bytesPerSecond).toBeGreaterThan(0);
  });

  it('refuses an address that is encrypted, and shows no secret of it', async () => {
    await expect(startShapedProxy(new URL('https://me:secret@s3.example/'), wide)).rejects.toMatchObject({
      code: 'bench-link-not-http',
      facts: { endpoint: 'https://s3.example/' },
    });
  });
});
