import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainFullDisk, makeRoom } from '../../src/loader/ephemeral-space.js';
import { type ColdStartLog, OptimiseModelError, openModel } from '../../src/loader/index.js';
import { writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { catchError } from '../fixtures/catch-error.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const need = { folder: tmpdir(), neededBytes: 10, isExpanded: false };

describe('makeRoom', () => {
  it('lets pass what fits and refuses what does not, with both numbers', async () => {
    await makeRoom({ ...need, neededBytes: 1 });
    await expect(makeRoom({ ...need, neededBytes: 2 ** 60 })).rejects.toMatchObject({
      code: 'ephemeral-storage-full',
      exitCode: 3,
      facts: { folder: tmpdir(), neededBytes: 2 ** 60, availableBytes: expect.any(Number) },
    });
  });
});

describe('a folder for ephemeral storage that is none', () => {
  const temporaryFolder = useTempFolder();

  it('is refused with what is wrong with it, and logged by its code', async () => {
    const folder = await temporaryFolder();
    await writeTinyArtifact(folder);
    const file = join(folder, 'artifact.json');
    for (const [ephemeralDir, reason] of [
      [join(folder, 'nope'), 'there is no such file or folder'],
      [file, 'a part of the path is no folder'],
    ] as const) {
      const logs: ColdStartLog[] = [];
      const onLog = (log: ColdStartLog) => logs.push(log);
      const failure = await catchError(() => openModel(file, { delivery: 's3-copy', ephemeralDir, onLog }));
      const facts = { folder: ephemeralDir, reason };
      expect(failure).toMatchObject({ code: 'ephemeral-folder-unusable', exitCode: 3, facts });
      expect(failure.remedy).toContain('ephemeralDir');
      expect(logs).toMatchObject([{ status: 'failed', error: { code: 'ephemeral-folder-unusable' } }]);
    }
  });
});

describe('explainFullDisk', () => {
  it('recognises a disk that filled up meanwhile, also as the cause of another error', async () => {
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
    const facts = { path: '/tmp/x', operation: 'write', reason: 'full' };
    const wrapped = OptimiseModelError.of('file-system-refused', facts, full);
    for (const error of [full, wrapped])
      expect(await explainFullDisk(error, need)).toMatchObject({ code: 'ephemeral-storage-full' });
  });

  it('leaves every other error as it is', async () => {
    const other = new Error('other');
    expect(await explainFullDisk(other, need)).toBe(other);
  });
});
