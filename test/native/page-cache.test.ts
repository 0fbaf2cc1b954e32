import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAffinity, readAffinity } from '../../src/native/affinity.js';
import { countResidentPages, evictFile } from '../../src/native/page-cache.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
const sizeBytes = (8 << 20) + 1;
const isLinux = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

async function writeModel(): Promise<string> {
  const path = join(await tempFolder(), 'model.onnx');
  await writeFile(path, Buffer.alloc(sizeBytes, 7));
  return path;
}

describe.skipIf(!isLinux)('the page cache', () => {
  it('holds a file that was just written until it is evicted, and what is read of it again', async () => {
    const path = await writeModel();
    const total = Math.ceil(sizeBytes / 4096);
    expect(await countResidentPages(path)).toEqual({ resident: total, total });
    expect(await evictFile(path)).toBe(true);
    expect(await countResidentPages(path)).toEqual({ resident: 0, total });
    await readFile(path);
    expect(await countResidentPages(path)).toEqual({ resident: total, total });
  });

  it('has no pages of an empty file', async () => {
    const path = join(await tempFolder(), 'empty');
    await writeFile(path, '');
    expect(await evictFile(path)).toBe(true);
    expect(await countResidentPages(path)).toEqual({ resident: 0, total: 0 });
  });

  it('throws for a file that is not there', async () => {
    await expect(countResidentPages('/nowhere')).rejects.toThrow('ENOENT');
    await expect(evictFile('/nowhere')).rejects.toThrow('ENOENT');
  });

  it.skipIf(process.getuid?.() !== 0)(
    "does not take the kernel's word for a file of another user (needs root to become another user)",
    async () => {
      const path = await writeModel();
      for (const folder of [dirname(path), dirname(dirname(path))]) await chmod(folder, 0o711);
      await chmod(path, 0o644);
      expect(await evictFile(path)).toBe(true);
      process.seteuid?.(65534);
      try {
        expect(await countResidentPages(path)).toBeNull();
      } finally {
        process.seteuid?.(0);
      }
      expect((await countResidentPages(path))?.resident).toBe(0);
    },
  );
});

describe.skipIf(!isLinux)('the affinity of this thread', () => {
  it('is inherited by a process that is started under it, and is its own again afterwards', async () => {
    const own = await readAffinity();
    const last = own?.at(-1) ?? 0;
    const run = await openAffinity([last]);
    const show = () => execFileSync('grep', ['Cpus_allowed_list', '/proc/self/status'], { encoding: 'utf8' });
    expect(run?.(show)).toBe(`Cpus_allowed_list:\t${last}\n`);
    expect(await readAffinity()).toEqual(own);
    expect(own).toHaveLength(availableParallelism());
  });

  it('comes back after work that fails', async () => {
    const own = await readAffinity();
    const run = await openAffinity([own?.[0] ?? 0]);
    const fail = () => {
      throw new Error('no');
    };
    expect(() => run?.(fail)).toThrow('no');
    expect(await readAffinity()).toEqual(own);
  });

  it('cannot be set to processors that do not exist', async () => {
    const own = await readAffinity();
    expect(await openAffinity([8191])).toBeNull();
    expect(await readAffinity()).toEqual(own);
  });
});
