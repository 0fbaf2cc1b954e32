import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { readFeedFile, writeFeedFile } from '../../src/inputs/feed-file.js';
import type { NamedTensors } from '../../src/lib/tensor.js';

const feeds: NamedTensors = {
  odd: { type: 'uint8', dims: [3], data: Uint8Array.of(1, 2, 3) },
  wide: { type: 'int64', dims: [2, 1], data: BigInt64Array.of(-5n, 2n ** 62n) },
  half: { type: 'float16', dims: [1], data: Uint16Array.of(0x3e00) },
  scalar: { type: 'float32', dims: [], data: Float32Array.of(Number.NaN) },
  nothing: { type: 'float64', dims: [0, 4], data: new Float64Array(0) },
  words: { type: 'string', dims: [2], data: ['ä', ''] },
};

describe('the feed file', () => {
  it('gives back every type and shape, whatever the alignment', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'feeds-')), 'feeds.bin');
    await writeFeedFile(path, feeds);
    const read = await readFeedFile(path);
    expect(read).toEqual(feeds);
    expect(Object.keys(read)).toEqual(Object.keys(feeds));
    expect(await readdir(dirname(path))).toEqual(['feeds.bin']);
  });

  it('writes only the elements that a view covers', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'feeds-')), 'feeds.bin');
    const data = Float32Array.of(1, 2, 3, 4).subarray(1, 3);
    await writeFeedFile(path, { x: { type: 'float32', dims: [2], data } });
    expect((await readFeedFile(path)).x?.data).toEqual(Float32Array.of(2, 3));
  });

  it('refuses a file that is cut short or of another kind', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'feeds-')), 'feeds.bin');
    await writeFeedFile(path, feeds);
    const whole = await readFile(path);
    for (const length of [0, 5, 11, 40, whole.length - 1]) {
      await writeFile(path, whole.subarray(0, length));
      await expect(readFeedFile(path)).rejects.toMatchObject({ code: 'input-file-wrong' });
    }
  });

  it('can be read without the modules that parse models, so that a child process stays small', async () => {
    const open = ['src/inputs/feed-file.ts'];
    const seen = new Set<string>();
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      for (const { moduleRequest } of parseSync(path, await readFile(path, 'utf8')).module.staticImports) {
        const target = moduleRequest.value;
        if (target.startsWith('.')) open.push(join(dirname(path), target).replace(/\.js$/, '.ts'));
      }
    }
    expect([...seen].filter((path) => /^src\/(onnx|half)\//.test(path))).toEqual([]);
    expect(seen.size).toBeGreaterThan(3);
  });
});
