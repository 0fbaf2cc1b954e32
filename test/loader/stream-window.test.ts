import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../src/lib/sha256.js';
import { WindowHash } from '../../src/loader/stream/window-hash.js';
import { seededBytes } from '../fixtures/opaque-artifact.js';

const never = new AbortController().signal;

/** Whether it has been let go on by now. */
async function isReady(ready: Promise<void>): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([ready.then(() => true), late]);
}

describe('the hash of what is kept nowhere', () => {
  it('is that of the whole, in whatever order parts arrive that were let begin', async () => {
    const sizes = fc.record({
      sizeBytes: fc.integer({ min: 1, max: 300 }),
      partSizeBytes: fc.integer({ min: 1, max: 40 }),
      windowParts: fc.integer({ min: 1, max: 5 }),
      concurrency: fc.integer({ min: 1, max: 6 }),
      draws: fc.array(fc.nat(1000), { minLength: 1, maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(sizes, async ({ sizeBytes, partSizeBytes, windowParts, concurrency, draws }) => {
        const content = seededBytes(sizeBytes, 5);
        const hash = new WindowHash({ sizeBytes, partSizeBytes, windowParts, signal: never });
        let next = 0;
        let drawn = 0;
        const readAll = async (): Promise<void> => {
          for (let offset = next; offset < sizeBytes; offset = next) {
            next += partSizeBytes;
            await hash.ready(offset);
            const end = Math.min(offset + partSizeBytes, sizeBytes);
            for (let at = offset; at < end; ) {
              drawn += 1;
              const draw = draws[drawn % draws.length] ?? 0;
              for (let turn = draw % 5; turn > 0; turn -= 1) await Promise.resolve();
              const chunk = Uint8Array.from(content.subarray(at, Math.min(at + 1 + (draw % 16), end)));
              hash.add(at, chunk);
              at += chunk.length;
              chunk.fill(0);
            }
          }
        };
        await Promise.all(Array.from({ length: concurrency }, readAll));
        expect(hash.digest()).toBe(hashBytes(content));
      }),
    );
  });

  it('lets no part begin that is further ahead than its window, until the front has moved', async () => {
    const hash = new WindowHash({ sizeBytes: 1000, partSizeBytes: 10, windowParts: 4, signal: never });
    expect(await isReady(hash.ready(30))).toBe(true);
    const [fourth, fifth] = [hash.ready(40), hash.ready(50)];
    hash.add(10, new Uint8Array(10));
    expect(await isReady(fourth)).toBe(false);
    hash.add(0, new Uint8Array(1));
    expect(await isReady(fourth)).toBe(true);
    expect(await isReady(fifth)).toBe(false);
    hash.add(1, new Uint8Array(9));
    expect(await isReady(fifth)).toBe(true);
  });

  it('ends the waiting when the download is stopped, also what would begin to wait afterwards', async () => {
    const stop = new AbortController();
    const hash = new WindowHash({
      ...{ sizeBytes: 1000, partSizeBytes: 10, windowParts: 1, signal: stop.signal },
    });
    const waiting = hash.ready(10);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await expect(hash.ready(20)).rejects.toThrow('stopped');
  });
});
