import { execFileSync, fork } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeLock } from '../../src/lib/exclusive-lock.js';
import { PartSlots } from '../../src/lib/part-slots.js';
import { hashBytes } from '../../src/lib/sha256.js';
import { openStore } from '../../src/store/open-store.js';
import type { PutFile } from '../../src/store/store.js';
import { seededBytes, temporaryFolder } from '../fixtures/opaque-artifact.js';

const bytes = seededBytes(3_000_001, 1);

async function putOf(folder: string, change: Partial<PutFile> = {}): Promise<PutFile> {
  const path = join(folder, 'source.bin');
  await writeFile(path, bytes);
  return {
    key: 'a/b.bin',
    path,
    sizeBytes: bytes.length,
    sha256: hashBytes(bytes),
    partSizeBytes: 1 << 24,
    slots: new PartSlots(4),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...change,
  };
}

async function keysOf(store: Awaited<ReturnType<typeof openStore>>, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const object of store.list(prefix)) keys.push(object.key);
  return keys;
}

describe('a directory as a store', () => {
  it('keeps a file as it was, and follows a link to it', async () => {
    const folder = await temporaryFolder();
    const store = await openStore(join(folder, 'store'));
    const put = await putOf(folder);
    await symlink(put.path, join(folder, 'link.bin'));
    const sent: number[] = [];
    await store.putFile({ ...put, path: join(folder, 'link.bin'), onProgress: (count) => sent.push(count) });
    expect(hashBytes(await readFile(join(folder, 'store/a/b.bin')))).toBe(hashBytes(bytes));
    expect(sent.at(-1)).toBe(bytes.length);
    expect(await store.head('a/b.bin')).toMatchObject({ key: 'a/b.bin', sizeBytes: bytes.length });
  });

  it('waits for no named pipe, and takes a folder for no object', async () => {
    const folder = await temporaryFolder();
    execFileSync('mkfifo', [join(folder, 'pipe.json')]);
    await mkdir(join(folder, 'folder.json'));
    const store = await openStore(folder);
    for (const [key, seen] of [
      ['pipe.json', 'a named pipe'],
      ['folder.json', 'a folder'],
    ] as const) {
      const refusal = { code: 'not-a-file', exitCode: 2, facts: { path: join(folder, key), seen } };
      await expect(store.read(key)).rejects.toMatchObject(refusal);
      const reading = store.readRange(key, { offset: 0, length: 1 })[Symbol.asyncIterator]();
      await expect(reading.next()).rejects.toMatchObject(refusal);
      expect(await store.head(key)).toBeUndefined();
      await expect(store.putFile(await putOf(folder, { path: join(folder, key) }))).rejects.toMatchObject(
        refusal,
      );
    }
  });

  it('knows the content of a file as it is now', async () => {
    const folder = await temporaryFolder();
    const store = await openStore(join(folder, 'store'));
    const put = await putOf(folder);
    expect(await store.examine(put.key, put.signal)).toBeUndefined();
    await store.putFile(put);
    expect(await store.examine(put.key, put.signal)).toMatchObject({
      sizeBytes: bytes.length,
      sha256: put.sha256,
    });
    await writeFile(join(folder, 'store/a/b.bin'), Buffer.alloc(bytes.length));
    const examined = await store.examine(put.key, put.signal);
    expect(examined?.sha256).toBe(hashBytes(Buffer.alloc(bytes.length)));
  });

  it('leaves nothing of a file that grew while it was read', async () => {
    const folder = await temporaryFolder();
    const store = await openStore(join(folder, 'store'));
    const put = await putOf(folder);
    let _grown: Promise<void> | undefined;
    const onProgress = (): void => {
      _grown ??= appendFile(put.path, 'x');
    };
    await expect(store.putFile({ ...put, onProgress })).rejects.toMatchObject({
      code: 'source-changed',
      facts: { expectedBytes: bytes.length, problem: 'its size is another' },
    });
    expect(await readdir(join(folder, 'store/a'))).toEqual([]);
  });

  it('refuses a file whose content, or whose time only, moved', async () => {
    const folder = await temporaryFolder();
    const store = await openStore(join(folder, 'store'));
    const put = await putOf(folder);
    await expect(store.putFile({ ...put, sha256: 'f'.repeat(64) })).rejects.toMatchObject({
      code: 'artifact-wrong',
      exitCode: 2,
    });
    let _touched: Promise<void> | undefined;
    const onProgress = (): void => {
      _touched ??= utimes(put.path, 1, 1);
    };
    await expect(store.putFile({ ...put, onProgress })).rejects.toMatchObject({ code: 'source-changed' });
    expect(await store.head(put.key)).toBeUndefined();
  });

  it('stops on the signal and leaves nothing', async () => {
    const folder = await temporaryFolder();
    const store = await openStore(join(folder, 'store'));
    const stop = new AbortController();
    const put = await putOf(folder, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(store.putFile(put)).rejects.toMatchObject({ name: 'AbortError' });
    expect(await readdir(join(folder, 'store/a'))).toEqual([]);
  });

  it('names a source that is missing', async () => {
    const folder = await temporaryFolder();
    const store = await openStore(join(folder, 'store'));
    const put = await putOf(folder);
    await expect(store.putFile({ ...put, path: join(folder, 'gone.bin') })).rejects.toMatchObject({
      code: 'file-system-refused',
    });
  });

  it('reads exactly a range, and says when there is less or when the object is of another size', async () => {
    const folder = await temporaryFolder();
    const store = await openStore(folder);
    await writeFile(join(folder, 'x'), '0123456789');
    const read = async (offset: number, length: number, objectSizeBytes?: number): Promise<string> => {
      const parts: Uint8Array[] = [];
      const range = { offset, length, ...(objectSizeBytes === undefined ? {} : { objectSizeBytes }) };
      for await (const part of store.readRange('x', range)) parts.push(part);
      return Buffer.concat(parts).toString();
    };
    expect(await read(2, 3)).toBe('234');
    expect(await read(0, 10, 10)).toBe('0123456789');
    await expect(read(8, 3)).rejects.toMatchObject({ code: 'download-corrupt' });
    await expect(read(0, 9, 9)).rejects.toMatchObject({ code: 'download-corrupt', facts: { seen: 10 } });
  });

  it('writes a document only on its condition', async () => {
    const store = await openStore(await temporaryFolder());
    const first = await store.write('d/c.json', Buffer.from('1'), { ifAbsent: true });
    await expect(store.write('d/c.json', Buffer.from('2'), { ifAbsent: true })).rejects.toMatchObject({
      code: 'write-conflict',
    });
    const second = await store.write('d/c.json', Buffer.from('3'), { ifEtag: first.etag });
    await expect(store.write('d/c.json', Buffer.from('4'), { ifEtag: first.etag })).rejects.toMatchObject({
      code: 'write-conflict',
    });
    await expect(store.write('none.json', Buffer.from('5'), { ifEtag: first.etag })).rejects.toMatchObject({
      code: 'write-conflict',
    });
    const found = await store.read('d/c.json');
    expect(Buffer.from(found.bytes).toString()).toBe('3');
    expect(found.etag).toBe(second.etag);
    expect((await store.head('d/c.json'))?.etag).toBe(second.etag);
  });

  it('takes a lock that a killed process left, and writes', async () => {
    const folder = await temporaryFolder();
    const lockPath = join(folder, '.c.json.lock');
    const module = new URL('../fixtures/hold-write.mjs', import.meta.url);
    const child = fork(module, [folder], { execArgv: [], env: {} });
    await new Promise((resolve) => child.once('message', resolve));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    expect(await readFile(lockPath, 'utf8')).toContain(String(child.pid));
    const store = await openStore(folder);
    await store.write('c.json', Buffer.from('1'), { ifAbsent: true });
    await writeFile(lockPath, '');
    await store.write('c.json', Buffer.from('2'), undefined);
    expect(await readdir(folder)).toEqual(['c.json']);
  });

  it('names the living process that does not let go of a lock', async () => {
    const folder = await temporaryFolder();
    const lockPath = join(folder, '.c.json.lock');
    const lock = await takeLock(lockPath);
    const store = await openStore(folder);
    await expect(store.write('c.json', Buffer.from('1'), undefined)).rejects.toMatchObject({
      code: 'store-locked',
      facts: { lockPath, pid: process.pid },
    });
    const waiting = store.write('c.json', Buffer.from('1'), undefined);
    if ('release' in lock) await lock.release();
    await waiting;
    expect(await keysOf(store)).toEqual(['c.json']);
  });

  it('lists in the order of keys, without what is being written', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'a/z'), { recursive: true });
    for (const name of ['a/c', 'a-b', 'a/z/1', 'b', '.b.0123.part', '.b.lock', '.b.lock.12.0a1b'])
      await writeFile(join(folder, name), '');
    const store = await openStore(folder);
    expect(await keysOf(store)).toEqual(['a-b', 'a/c', 'a/z/1', 'b']);
    expect(await keysOf(store, 'a/')).toEqual(['a/c', 'a/z/1']);
    expect(await keysOf(store, 'a/z')).toEqual(['a/z/1']);
  });

  it('lists nothing where a prefix leads to no folder of its own', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'store/a'), { recursive: true });
    await writeFile(join(folder, 'store/a/b'), '');
    await symlink(join(folder, 'store/a'), join(folder, 'store/link'));
    const store = await openStore(join(folder, 'store'));
    for (const prefix of ['c/', 'a/b/', 'a//', 'a/./', 'a/../a/', '../store/a/', 'link/'])
      expect(await keysOf(store, prefix)).toEqual([]);
  });

  it.each(['../x', '/x', 'a/../../x', '', 'a\\b'])('refuses the key %j', async (key) => {
    const store = await openStore(await temporaryFolder());
    expect(() => store.head(key)).toThrow(expect.objectContaining({ code: 'key-wrong' }));
  });

  it('lets one of many racing processes win each write', async () => {
    const folder = await temporaryFolder();
    const module = new URL('../fixtures/write-counter.mjs', import.meta.url);
    const children = Array.from({ length: 4 }, () => fork(module, [folder], { execArgv: [], env: {} }));
    const codes = await Promise.all(
      children.map((child) => new Promise((resolve) => child.once('exit', resolve))),
    );
    expect(codes).toEqual([0, 0, 0, 0]);
    // Each child increments 25 times by compare and set: a write that two won would be lost here.
    expect(await readFile(join(folder, 'counter.json'), 'utf8')).toBe('100');
  });
});
