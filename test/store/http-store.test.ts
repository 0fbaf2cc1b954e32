import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { hashBytes } from '../../src/lib/sha256.js';
import type { HttpPatience } from '../../src/store/http-request.js';
import { openHttpStore } from '../../src/store/http-store.js';
import { openReadableStore } from '../../src/store/open-readable-store.js';
import { openStore } from '../../src/store/open-store.js';
import type { ReadableStore } from '../../src/store/store.js';
import { catchError } from '../fixtures/catch-error.js';
import { downloadOne } from '../fixtures/download-one.js';
import { seededBytes } from '../fixtures/opaque-artifact.js';

const content = seededBytes(300_000, 3);

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  patience?: HttpPatience,
): Promise<ReadableStore> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/models`;
  return patience === undefined ? openReadableStore(url) : openHttpStore(url, patience);
}

function answerRange(request: IncomingMessage, response: ServerResponse): Buffer {
  const [, first = '0', last = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const body = content.subarray(Number(first), Number(last) + 1);
  response.writeHead(206, {
    'content-range': `bytes ${first}-${last}/${content.length}`,
    'content-length': body.length,
  });
  return body;
}

function download(store: ReadableStore, signal = new AbortController().signal): Promise<Uint8Array> {
  const sizes = { sizeBytes: content.length, partSizeBytes: 100_000, concurrency: 2 };
  return downloadOne({
    store,
    key: 'x y.bin',
    sha256: hashBytes(content),
    signal,
    onProgress: () => undefined,
    ...sizes,
  });
}

// Most of them wait for another try.
describe.concurrent('a web server as a store', () => {
  it('is read by ranges, with keys that need escaping', async () => {
    const paths = new Set<string>();
    const store = await serve((request, response) => {
      paths.add(request.url ?? '');
      response.end(answerRange(request, response));
    });
    expect(hashBytes(await download(store))).toBe(hashBytes(content));
    expect([...paths]).toEqual(['/models/x%20y.bin']);
  });

  it('goes on from where a broken connection stopped', async () => {
    let breaks = 0;
    const ranges: string[] = [];
    const store = await serve((request, response) => {
      ranges.push(request.headers.range ?? '');
      const body = answerRange(request, response);
      if (breaks >= 7) return response.end(body);
      breaks += 1;
      response.write(body.subarray(0, 30_000));
      return setTimeout(() => response.destroy(), 30);
    });
    expect(hashBytes(await download(store))).toBe(hashBytes(content));
    expect(ranges).toContain('bytes=30000-99999');
  });

  it('asks again after a 503, and gives up after three tries', async () => {
    let requests = 0;
    const store = await serve((request, response) => {
      requests += 1;
      if (requests === 1) return response.writeHead(503).end('busy');
      return response.end(answerRange(request, response));
    });
    expect(hashBytes(await download(store))).toBe(hashBytes(content));
    let asked = 0;
    const broken = await serve((_request, response) => {
      asked += 1;
      response.writeHead(500).end();
    });
    await expect(broken.read('x')).rejects.toMatchObject({
      code: 'http-failed',
      facts: { status: 500, attempts: 3 },
    });
    expect(asked).toBe(3);
  });

  it('refuses a server that ignores ranges', async () => {
    const store = await serve((_request, response) => response.end(content));
    await expect(download(store)).rejects.toMatchObject({ code: 'range-refused', facts: { status: 200 } });
  });

  it('refuses an object of another size', async () => {
    const store = await serve((_request, response) => {
      response.writeHead(206, {
        'content-range': `bytes 0-99999/${content.length + 1}`,
        'content-length': 100_000,
      });
      response.end(content.subarray(0, 100_000));
    });
    await expect(download(store)).rejects.toMatchObject({
      code: 'download-corrupt',
      facts: { expected: content.length, seen: content.length + 1 },
    });
    const short = await serve((_request, response) => {
      response.writeHead(416, { 'content-range': 'bytes */10' }).end();
    });
    await expect(download(short)).rejects.toMatchObject({ code: 'download-corrupt' });
  });

  it('says what is missing, what is forbidden and what cannot be reached', async () => {
    const store = await serve((request, response) => {
      response.writeHead(request.url?.endsWith('secret') ? 403 : 404).end();
    });
    expect(await store.head('x')).toBeUndefined();
    await expect(store.read('x')).rejects.toMatchObject({ code: 'object-missing', exitCode: 2 });
    await expect(store.read('secret')).rejects.toMatchObject({
      code: 'http-failed',
      facts: { status: 403, attempts: 1 },
    });
    const nowhere = await openReadableStore('http://127.0.0.1:2/x');
    await expect(nowhere.head('x')).rejects.toMatchObject({
      code: 'http-unreachable',
      exitCode: 3,
      facts: { reason: expect.stringContaining('ECONNREFUSED'), attempts: 3 },
    });
  });

  it('looks at an object, and refuses a document that is too large', async () => {
    const store = await serve((request, response) => {
      response.writeHead(200, { 'content-length': 20_000_000, etag: '"1"' });
      if (request.method === 'HEAD') response.end();
      else response.end(Buffer.alloc(20_000_000));
    });
    expect(await store.head('x')).toEqual({
      key: 'x',
      sizeBytes: 20_000_000,
      etag: '"1"',
      modifiedAtMs: null,
    });
    await expect(store.read('x')).rejects.toMatchObject({ code: 'document-too-large' });
  });

  it('asks a server that does not answer again, and gives up after three tries', async () => {
    let asked = 0;
    const store = await serve(
      () => {
        asked += 1;
      },
      { answerMs: 200, idleMs: 10_000 },
    );
    const error = await catchError(() => store.read('x'));
    expect(error).toMatchObject({ code: 'http-unreachable', exitCode: 3, facts: { attempts: 3 } });
    expect(error.message).toMatch(/ after 3 tries: it sent nothing for 0\.2 s\.$/);
    expect(asked).toBe(3);
  });

  it('goes on from where a server stalled, and gives up when it brings nothing more', async () => {
    const stall = (times: number) => {
      const ranges: string[] = [];
      const store = serve(
        (request, response) => {
          ranges.push(request.headers.range ?? '');
          const body = answerRange(request, response);
          if (ranges.length > times) return response.end(body);
          return response.write(body.subarray(0, body.length > 30_000 ? 30_000 : 0) || ' ');
        },
        { answerMs: 10_000, idleMs: 200 },
      );
      return { store, ranges };
    };
    const once = stall(2);
    expect(hashBytes(await download(await once.store))).toBe(hashBytes(content));
    expect(once.ranges).toContain('bytes=30000-99999');
    const endless = await catchError(async () => download(await stall(1_000).store));
    expect(endless).toMatchObject({
      code: 'http-unreachable',
      facts: { reason: 'it sent nothing for 0.2 s', attempts: 3 },
    });
  });

  it('does not count the time that its reader takes as the server being idle', async () => {
    const store = await serve((request, response) => response.end(answerRange(request, response)), {
      answerMs: 10_000,
      idleMs: 200,
    });
    let sizeBytes = 0;
    for await (const chunk of store.readRange('x', { offset: 0, length: content.length })) {
      if (sizeBytes === 0) await sleep(500);
      sizeBytes += chunk.length;
    }
    expect(sizeBytes).toBe(content.length);
  });

  it('says how often it asked in good English', async () => {
    const store = await serve((_request, response) => response.writeHead(403).end());
    const { message } = await catchError(() => store.read('x'));
    expect(message).toMatch(/answered with HTTP 403 \(1 try\)\.$/);
  });

  it('stops on the signal', async () => {
    const store = await serve((request, response) => {
      answerRange(request, response);
      response.write('x');
    });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    await expect(download(store, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('cannot be written to', async () => {
    await expect(openStore('http://host/x')).rejects.toMatchObject({ code: 'store-read-only' });
  });
});

describe.concurrent('a file of a web server that is replaced while it is downloaded', () => {
  const changed = { code: 'object-changed', exitCode: 3, facts: { expected: '"1"' } };

  it('is asked for by its strong ETag, and noticed as such', async () => {
    const asked: (string | undefined)[] = [];
    const store = await serve((request, response) => {
      asked.push(request.headers['if-match']);
      if (asked.length > 2) {
        response.writeHead(412).end();
        return;
      }
      response.setHeader('etag', '"1"');
      response.end(answerRange(request, response));
    });
    await expect(download(store)).rejects.toMatchObject(changed);
    expect(asked[2]).toBe('"1"');
  });

  it('is noticed too when the server ignores If-Match', async () => {
    let requests = 0;
    const store = await serve((request, response) => {
      requests += 1;
      response.setHeader('etag', requests > 2 ? '"2"' : '"1"');
      response.end(answerRange(request, response));
    });
    await expect(download(store)).rejects.toMatchObject(changed);
  });

  it('is judged by its SHA-256 alone where the server only has weak ETags or none', async () => {
    for (const etag of ['W/"1"', undefined]) {
      const asked = new Set<string | undefined>();
      let requests = 0;
      const store = await serve((request, response) => {
        asked.add(request.headers['if-match']);
        requests += 1;
        if (etag !== undefined) response.setHeader('etag', etag.replace('1', String(requests)));
        response.end(answerRange(request, response));
      });
      expect(hashBytes(await download(store))).toBe(hashBytes(content));
      expect(asked).toEqual(new Set([undefined]));
    }
  });

  it('is given up when every try brings a little', async () => {
    let requests = 0;
    const store = await serve((request, response) => {
      requests += 1;
      response.write(answerRange(request, response).subarray(0, 1));
      setTimeout(() => response.destroy(), 10);
    });
    await expect(download(store)).rejects.toMatchObject({ code: 'http-unreachable' });
    expect(requests).toBeGreaterThan(20);
    expect(requests).toBeLessThanOrEqual(22);
  }, 30_000);
});
