import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { examineBenchGround } from '../src/examine-bench-ground.js';
import { isInMemory } from '../src/lib/in-memory.js';
import { useTempFolder } from './fixtures/temp-folder.js';

const tempFolder = useTempFolder();

describe('examineBenchGround', () => {
  it('says what a benchmark can imitate here, and leaves nothing behind', async () => {
    const folder = await tempFolder();
    const { title, rows } = await examineBenchGround(folder);
    expect(title).toBe('Benchmark');
    expect(rows.map(({ name }) => name)).toEqual(['eviction', 'drop_caches', 'memory profiles']);
    const expected = (await isInMemory(folder)) ? 'impossible: in memory' : 'verified';
    if (process.platform === 'linux') expect(rows[0]?.value).toBe(expected);
    expect(rows[2]?.note).toMatch(/^processors: (cgroup-v[12]|affinity|none), memory: (cgroup-v[12]|none)/);
    expect(await readdir(folder)).toEqual([]);
  });

  it('verifies nothing where the runtime’s library is one of another user, whatever our own files allow', async () => {
    const ground = {
      listLibraries: async () => ['/opt/onnxruntime.so'],
      countResidentPages: async (path: string) =>
        path === '/opt/onnxruntime.so' ? null : { resident: 0, total: 1 },
    };
    const { rows } = await examineBenchGround(await tempFolder(), ground);
    expect(rows[0]).toMatchObject({ name: 'eviction', value: 'cannot be verified' });
    expect(rows[0]?.note).toContain('/opt/onnxruntime.so');
  });

  it('cannot verify anything in a folder that is not there', async () => {
    const { rows } = await examineBenchGround('/nowhere');
    expect(rows[0]).toMatchObject({ name: 'eviction', value: 'cannot be verified' });
  });
});
