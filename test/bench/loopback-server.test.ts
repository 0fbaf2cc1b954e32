import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LinkModel } from '../../src/bench/link/link-model.js';
import { type LoopbackServer, startLoopbackServer } from '../../src/bench/link/loopback-server.js';

const wide: LinkModel = {
  latencyMs: 0,
  jitterMs: 0,
  bytesPerSecond: 1e10,
  perConnectionBytesPerSecond: null,
};
const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
let folder: string;
let served: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loopback-'));
  served = join(folder, 'served');
  await mkdir(join(served, 'sub dir'), { recursive: true });
  await writeFile(join(served, 'sub dir', 'model.bin'), content);
  await writeFile(join(served, 'empty'), '');
  await writeFile(join(folder, 'secret'), 'secret');
  await symlink(join(folder, 'secret'), join(served, 'way-out'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const urlOf = (server: LoopbackServer): string => `${server.endpoint}/${server.bucketOf(served)}`;

async function serving<T>(model: LinkModel, use: (server: LoopbackServer) => Promise<T>): Promise<T> {
  const server = await startLoopbackServer([served], model);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** Sends a path as it stands; `fetch` would tidy `..` away before the server sees it. */
function statusOfRawPath(url: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
}

describe('startLoopbackServer', () => {
  it('serves a file whole, and says its size to HEAD', async () => {
    await serving(wide, async (server) => {
      const url = `${urlOf(server)}/sub%20dir/model.bin`;
      const whole = await fetch(url);
      expect(whole.status).toBe(200);
      expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true);
      const head = await fetch(url, { method: 'HEAD' });
      expect(head.headers.get('content-length')).toBe('300000');
      expect(head.headers.get('etag')).toBe(whole.headers.get('etag'));
    });
  });

  it('serves exactly the range that is asked for', async () => {
    await serving(wide, async (server) => {
      const url = `${urlOf(server)}/sub%20dir/model.bin`;
      const part = await fetch(url, { headers: { range: 'bytes=1000-199999' } });
      expect(part.status).toBe(206);
      expect(part.headers.get('content-range')).toBe('bytes 1000-199999/300000');
      expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(1000, 200_000))).toBe(true);
      const all = await fetch(url, { headers: { range: 'bytes=0-299999' } });
      expect([all.status, all.headers.get('content-range')]).toEqual([206, 'bytes 0-299999/300000']);
      expect((await fetch(url, { headers: { range: 'bytes=300000-' } })).status).toBe(416);
    });
  });

  it('serves an empty file', async () => {
    await serving(wide, async (server) => {
      const reply = await fetch(`${urlOf(server)}/empty`);
      expect([reply.status, (await reply.arrayBuffer()).byteLength]).toEqual([200, 0]);
    });
  });

  it('has nothing outside its folders, neither by dots nor by links, and no folders themselves', async () => {
    await serving(wide, async (server) => {
      const url = urlOf(server);
      for (const path of [
        '/store-0/../secret',
        '/store-0/%2e%2e/secret',
        '/store-0/way-out',
        '/store-0/sub%20dir',
        '/store-0/',
        '/store-7/x',
        '/0/empty',
        '/',
      ])
        expect([path, await statusOfRawPath(url, path)]).toEqual([path, 404]);
    });
  });

  it('survives a receiver that goes away and a malformed address', async () => {
    await serving({ ...wide, latencyMs: 0, bytesPerSecond: 1e6 }, async (server) => {
      const url = urlOf(server);
      const abort = new AbortController();
      const reply = await fetch(`${url}/sub%20dir/model.bin`, { signal: abort.signal });
      abort.abort();
      await expect(reply.arrayBuffer()).rejects.toThrow();
      await expect(statusOfRawPath(url, '/store-0/%zz')).rejects.toThrow();
      expect((await fetch(`${url}/empty`)).status).toBe(200);
    });
  });

  // Not an assertion of speed: bytes never come earlier than the model says; how late they come is the machine's affair.
  it('takes the latency before the first byte and the stated rate for all connections together', async () => {
    await serving({ ...wide, latencyMs: 40, bytesPerSecond: 2_000_000 }, async (server) => {
      const url = `${urlOf(server)}/sub%20dir/model.bin`;
      const startMs = performance.now();
      const replies = await Promise.all([fetch(url), fetch(url)]);
      const firstByteMs = performance.now() - startMs;
      await Promise.all(replies.map((reply) => reply.arrayBuffer()));
      const allMs = performance.now() - startMs;
      // 2 × 300,000 bytes at 2 MB/s after 40 ms: 340 ms.
      expect(firstByteMs).toBeGreaterThanOrEqual(40);
      expect(allMs).toBeGreaterThanOrEqual(339);
    });
  });
});
