import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareModelCache } from '../../../src/bench/tune/model-cache.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';

const temporaryFolder = useTempFolder();
const fill = async (folder: string) => {
  await writeFile(join(folder, 'a.blob'), 'kept');
  return null;
};

describe('a model cache', () => {
  it('names the files that a process finds in it, so that they are read into memory as the model is', async () => {
    const parent = await temporaryFolder();
    const warm = await prepareModelCache('warm', parent, fill);
    expect(warm).toMatchObject({ paths: [join(parent, 'warm', 'a.blob')], error: null });
    expect(await warm.measure()).toBe(4);
    expect(await prepareModelCache('cold', parent, fill)).toMatchObject({ paths: [], error: null });
    expect(await prepareModelCache('none', parent, fill)).toMatchObject({ folder: null, paths: [] });
  });

  it('says why it could not be filled, and is filled again the next time', async () => {
    const parent = await temporaryFolder();
    const error = { code: 'bench-sample-died', what: 'it died' };
    const failed = await prepareModelCache('warm', parent, async (folder) => {
      await fill(folder);
      return error;
    });
    expect(failed).toMatchObject({ error, paths: [] });
    expect(await readdir(parent)).toEqual([]);
    expect(await prepareModelCache('warm', parent, fill)).toMatchObject({ error: null });
  });
});
