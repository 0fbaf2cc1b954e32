import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../src/lib/sha256.js';
import { memorySink } from '../../src/store/byte-sink.js';
import { openStore } from '../../src/store/open-store.js';
import { OrderedHash } from '../../src/store/ordered-hash.js';
import { planParts } from '../../src/store/plan-parts.js';
import type { ReadableStore } from '../../src/store/store.js';
import { downloadOne, downloadOneToFile, type OneDownload } from '../fixtures/download-one.js';
import { seededBytes, temporaryFolder } from '../fixtures/opaque-artifact.js';

/** A store of one object whose ranges arrive late, in small pieces, interleaved. */
function slowStore(content: Uint8Array, delayMs: (offset: number) => number): ReadableStore {
  return {
    url: 'memory',
    head: async (key) => ({ key, sizeBytes: content.length, etag: '1', modifiedAtMs: null }),
    read: () => Promise.reject(new Error('not used')),
    async *readRange(_key, range, signal) {
      for (let done = 0; done < range.length; done += 100) {
        await sleep(delayMs(range.offset), undefined, signal === undefined ? {} : { signal });
        const end = range.offset + Math.min(done + 100, range.length);
        yield content.subarray(range.offset + done, end);
      }
    },
  };
}

function requestOf(
  store: ReadableStore,
  content: Uint8Array,
  change: Partial<OneDownload> = {},
): OneDownload {
  return {
    store,
    key: 'x',
    sizeBytes: content.length,
    sha256: hashBytes(content),
    partSizeBytes: 512,
    concurrency: 4,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...change,
  };
}

describe('parts of an object', () => {
  it('are made one after the other, so that a size beyond reason costs nothing', () => {
    const parts = planParts(Number.MAX_SAFE_INTEGER, 1);
    expect(parts.next().value).toEqual({ offset: 0, length: 1 });
  });

  it('adjoin, are in order and make up exactly the object', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 5_000 }), (sizeBytes, partSizeBytes) => {
        const parts = [...planParts(sizeBytes, partSizeBytes)];
        const ends = parts.map((part) => part.offset + part.length);
        expect(parts.every((part, index) => part.offset === (ends[index - 1] ?? 0))).toBe(true);
        expect(parts.every((part) => part.length > 0 && part.length <= partSizeBytes)).toBe(true);
        expect(ends.at(-1) ?? 0).toBe(sizeBytes);
      }),
    );
  });
});

describe('the hash of what arrives in any order', () => {
  it('is that of the whole', () => {
    const partSize = 8;
    const pieces = fc.array(fc.uint8Array({ minLength: partSize, maxLength: partSize }), { maxLength: 8 });
    fc.assert(
      fc.property(
        pieces,
        fc.uint8Array({ maxLength: partSize - 1 }),
        fc.infiniteStream(fc.nat()),
        (parts, rest, pick) => {
          const content = Buffer.concat([...parts, rest]);
          const target = new Uint8Array(content.length);
          const sink = memorySink(target);
          const hash = new OrderedHash(sink, partSize);
          const open = [...planParts(content.length, partSize)].map((part) => ({ ...part, done: 0 }));
          while (open.length > 0) {
            const index = (pick.next().value ?? 0) % open.length;
            const part = open[index];
            if (part === undefined) break;
            const offset = part.offset + part.done;
            const length = Math.min(1 + ((pick.next().value ?? 0) % 5), part.length - part.done);
            const chunk = content.subarray(offset, offset + length);
            sink.write(offset, chunk);
            hash.add(offset, chunk);
            part.done += length;
            if (part.done === part.length) open.splice(index, 1);
          }
          expect(hash.hashedBytes).toBe(content.length);
          expect(hash.digest()).toBe(hashBytes(content));
        },
      ),
    );
  });
});

describe('a verified download', () => {
  const content = seededBytes(5_000, 2);

  it('gives the same bytes whichever part arrives first', async () => {
    const store = slowStore(content, (offset) => (offset === 0 ? 12 : 1));
    const counts: number[] = [];
    const request = requestOf(store, content, { onProgress: (count) => counts.push(count) });
    expect(hashBytes(await downloadOne(request))).toBe(hashBytes(content));
    expect(counts.at(-1)).toBe(content.length);
    expect(counts).toEqual([...counts].sort((left, right) => left - right));
  });

  it('reads no more ranges at a time than asked for', async () => {
    const plain = slowStore(content, () => 1);
    let open = 0;
    let most = 0;
    const store: ReadableStore = {
      ...plain,
      async *readRange(...given) {
        open += 1;
        most = Math.max(most, open);
        yield* plain.readRange(...given);
        open -= 1;
      },
    };
    await downloadOne(requestOf(store, content, { concurrency: 3 }));
    expect(most).toBe(3);
  });

  it.each([
    ['shorter', content.subarray(0, 4_999)],
    ['longer', Buffer.concat([content, Buffer.from('x')])],
    ['different in its last byte', Buffer.concat([content.subarray(0, 4_999), Buffer.from('?')])],
    ['empty', Buffer.alloc(0)],
  ])('refuses an object that is %s', async (_how, stored) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'x'), stored);
    const store = await openStore(folder);
    const path = join(folder, 'out', 'x');
    const request = requestOf(store, content);
    await expect(downloadOneToFile({ ...request, path })).rejects.toMatchObject({
      code: 'download-corrupt',
      exitCode: 3,
    });
    await expect(downloadOne(request)).rejects.toMatchObject({ code: 'download-corrupt' });
  });

  it.each([9e15, 5_001, 40e12])(
    'refuses a record that says %s bytes before anything is read',
    async (sizeBytes) => {
      const folder = await temporaryFolder();
      await writeFile(join(folder, 'x'), content);
      const onProgress = () => expect.unreachable();
      const request = requestOf(await openStore(folder), content, { sizeBytes, onProgress });
      const refusal = { code: 'download-corrupt', facts: { expected: sizeBytes, seen: content.length } };
      await expect(downloadOne(request)).rejects.toMatchObject(refusal);
      await expect(downloadOneToFile({ ...request, path: join(folder, 'out/x') })).rejects.toMatchObject(
        refusal,
      );
      expect((await stat(join(folder, 'out/x'))).size).toBe(0);
    },
  );

  it('says so when an object does not fit into memory', async () => {
    const sizeBytes = 40e12;
    const store: ReadableStore = {
      ...slowStore(content, () => 0),
      head: async (key) => ({ key, sizeBytes, etag: '1', modifiedAtMs: null }),
    };
    await expect(downloadOne(requestOf(store, content, { sizeBytes }))).rejects.toMatchObject({
      code: 'memory-too-small',
      exitCode: 3,
      facts: { url: 'memory/x', sizeBytes },
    });
  });

  it('refuses a transport that brings too much for a part', async () => {
    const store = {
      ...slowStore(content, () => 0),
      readRange: () => slowStore(content, () => 0).readRange('x', { offset: 0, length: 5_000 }),
    };
    await expect(downloadOne(requestOf(store, content))).rejects.toMatchObject({
      code: 'download-corrupt',
    });
  });

  it('handles an empty object, and one that should be empty', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'x'), '');
    const store = await openStore(folder);
    expect(await downloadOne(requestOf(store, Buffer.alloc(0)))).toHaveLength(0);
    await writeFile(join(folder, 'x'), '1');
    await expect(downloadOne(requestOf(store, Buffer.alloc(0)))).rejects.toMatchObject({
      code: 'download-corrupt',
    });
  });

  it('stops on the signal and has ended all reading', async () => {
    const folder = await temporaryFolder();
    const stop = new AbortController();
    const request = requestOf(
      slowStore(content, () => 1),
      content,
      {
        signal: stop.signal,
        onProgress: (count) => (count > 1_000 ? stop.abort() : undefined),
      },
    );
    await expect(downloadOneToFile({ ...request, path: join(folder, 'x') })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('has ended all reading when one range fails', async () => {
    const plain = slowStore(content, () => 2);
    let open = 0;
    const store: ReadableStore = {
      ...plain,
      async *readRange(key, range, signal) {
        open += 1;
        try {
          yield* plain.readRange(key, range, signal);
          if (range.offset === 512) throw new Error('broken');
        } finally {
          await sleep(range.offset === 512 ? 0 : 20);
          open -= 1;
        }
      },
    };
    await expect(downloadOne(requestOf(store, content))).rejects.toThrow('broken');
    expect(open).toBe(0);
  });

  it('says so when the object is not there', async () => {
    const store = await openStore(await temporaryFolder());
    await expect(downloadOne(requestOf(store, content))).rejects.toMatchObject({
      code: 'object-missing',
    });
  });
});
