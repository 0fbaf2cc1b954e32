import { describe, expect, it } from 'vitest';
import { planRows } from '../../src/bench/plan-rows.js';
import { listReadFolders, listUnseenCaches } from '../../src/bench/read-folders.js';
import type { Delivery } from '../../src/lib/delivery.js';
import { nameRemoteFileSystem } from '../../src/lib/remote-file-system.js';
import { benchTarget } from '../fixtures/bench-options.js';

const targets = ['a', 'b'].map((variantId) => benchTarget({ variantId, artifactFolder: `/${variantId}` }));

function foldersOf(deliveries: readonly Delivery[]) {
  const planned = planRows({ targets, deliveries, memoryMiB: [2048, 4096], skip: [] });
  const sources = planned.map(({ target: { variantId }, delivery }) => {
    const folder = delivery === 'mount' ? `/mnt/${variantId}` : `/${variantId}`;
    return { readFiles: delivery === 's3-copy' ? [] : [`${folder}/model.onnx`, `${folder}/model.data`] };
  });
  return listReadFolders(planned, sources, async (path) => (path.startsWith('/mnt') ? 'FUSE' : null));
}

describe('listReadFolders', () => {
  it('names every folder once with the rows that read from it', async () => {
    expect(await foldersOf(['s3-copy', 'layer', 'lazy', 'mount'])).toEqual([
      { folder: '/a', rows: ['a by layer', 'a by lazy'], fileSystem: null, isMount: false },
      { folder: '/mnt/a', rows: ['a by mount'], fileSystem: 'FUSE', isMount: true },
      { folder: '/b', rows: ['b by layer', 'b by lazy'], fileSystem: null, isMount: false },
      { folder: '/mnt/b', rows: ['b by mount'], fileSystem: 'FUSE', isMount: true },
    ]);
    expect(await foldersOf(['s3-copy'])).toEqual([]);
  });
});

describe('listUnseenCaches', () => {
  it('warns of caches behind a mount, unless files are to be cached anyway', async () => {
    const folders = await foldersOf(['layer', 'mount']);
    const [finding, ...others] = listUnseenCaches(folders, 'evict');
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      code: 'bench-mount-cache-unseen',
      severity: 'warning',
      facts: { fileSystem: 'FUSE', folders: ['/mnt/a', '/mnt/b'], rows: ['a by mount', 'b by mount'] },
    });
    expect(listUnseenCaches(folders, 'drop')).toHaveLength(1);
    expect(listUnseenCaches(folders, 'warm')).toEqual([]);
    expect(listUnseenCaches(await foldersOf(['layer']), 'evict')).toEqual([]);
  });
});

describe('nameRemoteFileSystem', () => {
  it('knows FUSE and network file systems from those of this machine', async () => {
    const nameOf = (type: number) => nameRemoteFileSystem('/', async () => type);
    expect(await nameOf(0x65735546)).toBe('FUSE');
    expect(await nameOf(0x6969)).toBe('NFS');
    expect(await nameOf(0xff534d42)).toBe('CIFS');
    expect(await nameOf(0xef53)).toBeNull();
    expect(await nameRemoteFileSystem('/proc')).toBeNull();
  });
});
