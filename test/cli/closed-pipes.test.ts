import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outliveReaders } from '../../src/cli/outlive-readers.js';
import { seededBytes, temporaryFolder, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import { awaitCli, makeProject, startCli } from './run-cli.js';

/** Runs the command while nobody reads the named streams: their read ends are closed at once. */
async function runUnread(args: readonly string[], folder: string, unread: readonly ('stdout' | 'stderr')[]) {
  const child = startCli(args, folder);
  for (const name of unread) child[name]?.destroy();
  return awaitCli(child);
}

describe('a command whose reader has gone', () => {
  it('stages to the end, says nothing of it and exits with the code of its work', async () => {
    const folder = await temporaryFolder();
    await writeOpaqueArtifact(join(folder, 'artifact'), { 'model.onnx': seededBytes(1000, 1) });
    const args = ['stage', 'artifact', '--to', 'store', '--name', 'vit'];
    const { exitCode, stderr } = await runUnread(args, folder, ['stdout']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(await readdir(join(folder, 'store/vit'))).not.toEqual([]);
  });

  it('runs every step of a pipeline when nobody reads stdout or stderr', async () => {
    const folder = await makeProject();
    const { exitCode } = await runUnread(['run', 'tiny'], folder, ['stdout', 'stderr']);
    expect(exitCode).toBe(0);
  });

  it.each([
    [['releases', 'list', 'ftp://nowhere'], 2],
    [['--help'], 0],
    [['stage', '--no-such-flag'], 2],
  ])('%j exits as it does with a reader', async (args, expected) => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'store'));
    const read = await awaitCli(startCli(args, folder));
    const unread = await runUnread(args, folder, ['stdout', 'stderr']);
    expect([read.exitCode, unread.exitCode]).toEqual([expected, expected]);
  });

  it('is the only error of a stream that is ignored', () => {
    outliveReaders([process.stdout]);
    const listener = process.stdout.listeners('error').at(-1) as (error: unknown) => void;
    process.stdout.off('error', listener);
    expect(() => listener(Object.assign(new Error('gone'), { code: 'EPIPE' }))).not.toThrow();
    expect(() => listener(Object.assign(new Error('full'), { code: 'ENOSPC' }))).toThrow('full');
  });
});
