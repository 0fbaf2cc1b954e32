import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { explainFullDisk, makeRoom } from '../../src/loader/ephemeral-space.js';
import { OptimiseModelError } from '../../src/loader/index.js';

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
