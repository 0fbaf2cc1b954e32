import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { cacheTitles } from '../../../src/bench/cache/cache-state.js';
import { listCacheFindings } from '../../../src/bench/cache/list-cache-findings.js';
import { type CacheControl, prepareCache } from '../../../src/bench/cache/prepare-cache.js';
import { isInMemory } from '../../../src/lib/in-memory.js';
import { countResidentPages, dropCaches, evictFile } from '../../../src/native/page-cache.js';
import { startMapping } from '../../fixtures/mapping-process.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
const never = new AbortController().signal;
const kernel: CacheControl = { evictFile, countResidentPages, dropCaches };
const refusing: CacheControl = { ...kernel, dropCaches: async () => false };
const blind: CacheControl = { ...refusing, countResidentPages: async () => null };

async function writeModel(sizeMiB = 32) {
  const folder = await tempFolder();
  const files = {
    model: join(folder, 'm.onnx'),
    sidecar: join(folder, 'm.data'),
    script: join(folder, 'a.js'),
    served: join(folder, 'served.onnx'),
  };
  await writeFile(files.model, 'graph');
  await writeFile(files.sidecar, Buffer.alloc(sizeMiB << 20, 7));
  await writeFile(files.script, 'export {};');
  await writeFile(files.served, 'staged');
  return {
    ...files,
    files: { cold: [files.model, files.sidecar], warm: [files.script], served: [files.served] },
  };
}

/** What is written where a disk is memory cannot become cold: there is nothing to be seen of these rules. */
async function needDisk(context: TestContext, path: string): Promise<void> {
  if (process.platform !== 'linux') context.skip('the page cache is spoken to on Linux only');
  if (await isInMemory(path)) context.skip(`${path} is in memory`);
}

describe('prepareCache (C37)', () => {
  it('evicts a 256 MiB sidecar written a moment ago, and says so only with no page left', async (context) => {
    const { sidecar, script, files } = await writeModel(256);
    await needDisk(context, sidecar);
    expect((await countResidentPages(sidecar))?.resident).toBe(65_536);
    expect(await prepareCache('evict', files, never, refusing)).toEqual({ state: 'evicted', stuck: [] });
    expect(await countResidentPages(sidecar)).toEqual({ resident: 0, total: 65_536 });
    expect((await countResidentPages(script))?.resident).toBe(1);
  });

  it('stays warm while another process maps a file, names both, and reads the rest again', async (context) => {
    const { model, sidecar, files } = await writeModel();
    await needDisk(context, sidecar);
    const mapping = await startMapping(sidecar);
    const prepared = await prepareCache('evict', files, never).finally(mapping.end);
    expect(prepared.state).toBe('warm');
    expect(prepared.stuck).toMatchObject([{ path: sidecar, residentPages: 8192, totalPages: 8192 }]);
    expect(prepared.stuck[0]?.mappers).toEqual([{ pid: mapping.pid, name: expect.any(String) }]);
    expect((await countResidentPages(model))?.resident).toBe(1);
    expect((await countResidentPages(sidecar))?.resident).toBe(8192);
    const [finding] = listCacheFindings('evict', [prepared, prepared]);
    expect(finding).toMatchObject({ code: 'bench-eviction-refused', severity: 'warning' });
    expect(finding?.what).toContain(`process ${mapping.pid}`);
    expect(await prepareCache('evict', files, never)).toEqual({ state: 'evicted', stuck: [] });
  });

  it('stays warm after a drop that was granted while another process maps a file', async (context) => {
    const { sidecar, files } = await writeModel();
    await needDisk(context, sidecar);
    const granted: CacheControl = { ...kernel, dropCaches: async () => true };
    const mapping = await startMapping(sidecar);
    const { state } = await prepareCache('drop', files, never, granted).finally(mapping.end);
    expect(state).toBe('warm');
    expect((await prepareCache('drop', files, never, granted)).state).toBe('dropped');
  });

  it('drops everything where it may, and evicts where it may not', async (context) => {
    const { sidecar, script, files } = await writeModel();
    await needDisk(context, sidecar);
    const refused = await prepareCache('drop', files, never, refusing);
    expect(refused.state).toBe('evicted');
    expect(listCacheFindings('drop', [refused]).map(({ code }) => code)).toEqual(['bench-drop-refused']);
    if (!(await dropCaches())) context.skip('/proc/sys/vm/drop_caches may not be written');
    await readFile(sidecar);
    const dropped = await prepareCache('drop', files, never);
    expect(dropped).toEqual({ state: 'dropped', stuck: [] });
    expect((await countResidentPages(sidecar))?.resident).toBe(0);
    expect((await countResidentPages(script))?.resident).toBe(0);
    expect(listCacheFindings('drop', [dropped])).toEqual([]);
  });

  it("leaves what a server reads for the sample cached, whatever is dropped, and the tool's own code not", async (context) => {
    const { sidecar, script, served, files } = await writeModel(1);
    await needDisk(context, sidecar);
    const dropping: CacheControl = {
      ...kernel,
      dropCaches: async () => (await evictFile(script)) && (await evictFile(served)),
    };
    expect((await prepareCache('drop', files, never, dropping)).state).toBe('dropped');
    expect((await countResidentPages(served))?.resident).toBe(1);
    expect((await countResidentPages(script))?.resident).toBe(0);
    await evictFile(served);
    await prepareCache('evict', files, never, dropping);
    expect((await countResidentPages(served))?.resident).toBe(1);
  });

  it('knows nothing where residency cannot be read, whatever the kernel was asked', async () => {
    const { files } = await writeModel(1);
    const prepared = await prepareCache('evict', files, never, blind);
    expect(prepared).toEqual({ state: 'unknown', stuck: [] });
    expect(listCacheFindings('evict', [prepared]).map(({ code }) => code)).toEqual([
      'bench-residency-unknown',
    ]);
    expect((await prepareCache('drop', files, never, blind)).state).toBe('unknown');
  });

  it('calls files on a file system in memory that, in every mode', async (context) => {
    if (!(await isInMemory('/dev/shm').catch(() => false))) context.skip('/dev/shm is not in memory');
    const folder = await mkdtemp('/dev/shm/optimise-model-test-');
    try {
      const inMemory = join(folder, 'm.onnx');
      await writeFile(inMemory, Buffer.alloc(1 << 20));
      const { files } = await writeModel(1);
      const mixed = { ...files, cold: [...files.cold, inMemory] };
      for (const mode of ['evict', 'drop', 'warm'] as const) {
        expect(await prepareCache(mode, mixed, never)).toEqual({ state: 'memory', stuck: [] });
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('reads everything when warm is what is wanted', async (context) => {
    const { sidecar, files } = await writeModel();
    await needDisk(context, sidecar);
    await evictFile(sidecar);
    expect(await prepareCache('warm', files, never)).toEqual({ state: 'warm', stuck: [] });
    expect((await countResidentPages(sidecar))?.resident).toBe(8192);
  });

  it("reads all of the tool's own scripts, each whole, until it is stopped", async (context) => {
    const { script, files } = await writeModel(1);
    await needDisk(context, script);
    const sizes = [3 << 20, ...Array<number>(200).fill(1)];
    const scripts = sizes.map((_, index) => `${script}.${index}.js`);
    for (const [index, path] of scripts.entries()) await writeFile(path, Buffer.alloc(sizes[index] ?? 0, 7));
    for (const path of scripts) await evictFile(path);
    const many = { ...files, warm: scripts };
    const stopped = prepareCache('warm', many, AbortSignal.abort(new Error('enough')));
    await expect(stopped).rejects.toThrow('enough');
    expect((await countResidentPages(scripts[0] ?? ''))?.resident).toBe(0);
    await prepareCache('warm', many, never);
    for (const path of scripts) {
      const found = await countResidentPages(path);
      expect(found?.resident).toBe(found?.total);
    }
  });

  it('asks again for pages that were on their way', async () => {
    const { files } = await writeModel(1);
    let asked = 0;
    const slow: CacheControl = {
      ...refusing,
      countResidentPages: async () => {
        asked += 1;
        return { resident: asked === 1 ? 3 : 0, total: 10 };
      },
    };
    expect((await prepareCache('evict', files, never, slow)).state).toBe('evicted');
    expect(asked).toBe(3);
  });

  it('stops between files, and fails for a file that is not there', async () => {
    const { files } = await writeModel(1);
    const reason = new Error('enough');
    await expect(prepareCache('evict', files, AbortSignal.abort(reason))).rejects.toBe(reason);
    const missing = { cold: ['/nowhere/m.onnx'], warm: [], served: [] };
    await expect(prepareCache('evict', missing, never)).rejects.toThrow('ENOENT');
    await stat(files.cold[0] ?? '');
  });

  it('says "cold start" without a word more of a full drop alone', () => {
    expect(Object.entries(cacheTitles).filter(([, title]) => title === 'cold start')).toEqual([
      ['dropped', 'cold start'],
    ]);
    expect(cacheTitles.evicted).toBe('cold start, files evicted');
    expect(cacheTitles.warm).toBe('process start, files cached');
    expect(cacheTitles.memory).toBe('process start, files cached');
    expect(cacheTitles.unknown).toBe('cache state unknown');
  });
});
