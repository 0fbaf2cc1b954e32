import { closeSync, openSync, truncateSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hashBytes } from '../../src/lib/sha256.js';
import { HashThread } from '../../src/store/hash-thread.js';
import { seededBytes, temporaryFolder } from '../fixtures/opaque-artifact.js';

const partSizeBytes = 8 * 1024 ** 2;
const content = seededBytes(2 * partSizeBytes + 3_000_001, 12);
const sha256 = hashBytes(content);

async function prepare(): Promise<{ thread: HashThread; descriptor: number; path: string }> {
  const path = join(await temporaryFolder(), 'x');
  const descriptor = openSync(path, 'wx+');
  const thread = new HashThread();
  onTestFinished(async () => {
    await thread.close();
    closeSync(descriptor);
  });
  return { thread, descriptor, path };
}

/** Offsets of chunks of 64 KiB, in order within a part, the parts as given. */
function* chunksOf(parts: readonly number[]): Generator<number> {
  for (const part of parts) {
    const end = Math.min(content.length, (part + 1) * partSizeBytes);
    for (let offset = part * partSizeBytes; offset < end; offset += 65_536) yield offset;
  }
}

describe('a thread that hashes behind the writers', () => {
  it('hashes files whose parts arrive in any order, several at a time', async () => {
    const { thread, descriptor } = await prepare();
    const other = await prepare();
    const hashes = [descriptor, other.descriptor].map((each) => ({
      descriptor: each,
      hash: thread.start(each, content.length, partSizeBytes),
    }));
    for (const offset of chunksOf([2, 0, 1])) {
      for (const each of hashes) {
        const end = Math.min(
          content.length,
          offset + 65_536,
          (Math.floor(offset / partSizeBytes) + 1) * partSizeBytes,
        );
        const chunk = content.subarray(offset, end);
        writeSync(each.descriptor, chunk, 0, chunk.length, offset);
        each.hash.add(offset, chunk);
      }
    }
    for (const { hash } of hashes) {
      expect(await hash.digest()).toBe(sha256);
      await hash.end();
    }
  });

  it('lets go of a file that never becomes whole', async () => {
    const { thread, descriptor } = await prepare();
    const hash = thread.start(descriptor, content.length, partSizeBytes);
    writeSync(descriptor, content, 0, partSizeBytes, 0);
    hash.add(0, content.subarray(0, partSizeBytes));
    await hash.end();
  });

  it.skipIf(availableParallelism() < 2)(
    'says so when someone cuts the file off, instead of waiting',
    async () => {
      const { thread, descriptor, path } = await prepare();
      const hash = thread.start(descriptor, content.length, partSizeBytes);
      truncateSync(path, 0);
      for (const part of [0, 1, 2]) {
        hash.add(part * partSizeBytes, content.subarray(part * partSizeBytes, (part + 1) * partSizeBytes));
      }
      await expect(hash.digest()).rejects.toThrow('has become shorter');
      await hash.end();
    },
  );

  it('hashes small files in place', async () => {
    const { thread, descriptor } = await prepare();
    const hash = thread.start(descriptor, 3, partSizeBytes);
    writeSync(descriptor, 'abc');
    hash.add(0, Buffer.from('abc'));
    expect(await hash.digest()).toBe(hashBytes('abc'));
  });
});
