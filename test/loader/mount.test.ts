import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ColdStartLog, type OpenOptions, openModel } from '../../src/loader/index.js';
import { tinyFeeds } from '../fixtures/artifact-folder.js';
import { type ReleasedModel, writeReleasedModel } from '../fixtures/released-model.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const temporaryFolder = useTempFolder();
let released: ReleasedModel;
let ephemeralDir: string;
let logs: ColdStartLog[];
let options: OpenOptions;

beforeEach(async () => {
  released = await writeReleasedModel('mount', 1);
  ephemeralDir = await temporaryFolder();
  logs = [];
  options = { ephemeralDir, onLog: (log) => logs.push(log) };
});

function weights(): string {
  return join(released.store, 'tiny', 'objects', released.external.digest, 'model.onnx.data');
}

describe('the mount delivery', () => {
  it('copies the files first, as the release says, whatever leads to them', async () => {
    const artifact = join(released.store, 'tiny', 'objects', released.single.digest);
    for (const source of [released.current, artifact]) {
      const model = await openModel(source, { ...options, delivery: 'mount' });
      await model.run(tinyFeeds());
      expect(await readdir(ephemeralDir)).toHaveLength(1);
      await model.close();
      expect(await readdir(ephemeralDir)).toEqual([]);
    }
    expect(logs).toMatchObject([{ delivery: 'mount', reused: false }, { delivery: 'mount' }]);
  });

  it('opens the files where they are when it is told to', async () => {
    const more = { mountMode: 'direct', variant: 'fp32.external' } as const;
    const model = await openModel(released.current, { ...options, ...more });
    expect((await model.run(tinyFeeds())).y?.data.at(-1)).toBe(64);
    expect(await readdir(ephemeralDir)).toEqual([]);
    await model.close();
    expect(await readFile(weights())).toHaveLength(256);
  });

  it('notices damage by hashing what it copies, and another size where it opens directly', async () => {
    const variant = 'fp32.external';
    await writeFile(weights(), new Uint8Array(256));
    await expect(openModel(released.current, { ...options, variant })).rejects.toMatchObject({
      code: 'download-corrupt',
    });
    await appendFile(weights(), 'x');
    const direct = { ...options, variant, mountMode: 'direct' } as const;
    await expect(openModel(released.current, direct)).rejects.toMatchObject({ code: 'artifact-wrong' });
    const unknown = { ...options, mountMode: 'move' as 'copy' };
    await expect(openModel(released.current, unknown)).rejects.toMatchObject({ code: 'open-option-wrong' });
  });
});
