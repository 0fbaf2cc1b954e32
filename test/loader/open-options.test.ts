import { describe, expect, it } from 'vitest';
import { type OpenOptions, openModel } from '../../src/loader/index.js';
import { resolveOpenOptions } from '../../src/loader/open-options.js';
import { tinyFeeds, writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const temporaryFolder = useTempFolder();

describe('the options of openModel', () => {
  it('are all known, those of the session too', () => {
    const all: Required<OpenOptions> = {
      delivery: 'lazy',
      variant: 'v',
      release: 'r',
      threads: 1,
      ephemeralDir: 'e',
      layerDir: 'l',
      mountMode: 'copy',
      modelCacheDir: 'c',
      sha256: 'a'.repeat(64),
      partSizeBytes: 1,
      concurrency: 1,
      session: { prepacking: false, optimisation: 'all' },
      onLog: () => undefined,
    };
    expect(Object.keys(resolveOpenOptions(all, {})).sort()).toEqual(Object.keys(all).sort());
  });

  it('are refused when openModel does not know them: a mistyped pin would open what is current', async () => {
    const attempts: [object, string, string][] = [
      [{ relase: 'r1', threads: 1 }, 'relase', 'release'],
      [{ session: { prepackin: false } }, 'prepackin', 'prepacking'],
    ];
    for (const [mistyped, unknown, known] of attempts) {
      await expect(openModel('s3://models/vit', mistyped)).rejects.toMatchObject({
        code: 'open-option-unknown',
        exitCode: 2,
        facts: { unknown: [unknown], known: expect.arrayContaining([known]) },
      });
    }
  });

  it('are refused when the engine of the model has nothing like it', async () => {
    const folder = await temporaryFolder();
    await writeTinyArtifact(folder);
    for (const delivery of ['layer', 'lazy'] as const) {
      const opening = openModel(folder, { delivery, modelCacheDir: '/mnt/cache' });
      await expect(opening.then((model) => model.run(tinyFeeds()))).rejects.toMatchObject({
        code: 'open-option-wrong',
        facts: { option: 'modelCacheDir', expected: expect.stringContaining('a variant of openvino') },
      });
    }
  });
});
