import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resolveStaged } from '../../src/store/resolve-staged.js';
import { type ReleasedModel, writeReleasedModel } from '../fixtures/released-model.js';

async function prepare(): Promise<ReleasedModel> {
  const released = await writeReleasedModel('layer');
  onTestFinished(() => rm(released.store, { recursive: true }));
  return released;
}

async function change(path: string, fields: object): Promise<void> {
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), ...fields }));
}

const resolve = (url: string) => resolveStaged(url, undefined, undefined);

describe('following an address to an artifact', () => {
  it('leads from current.json through its release to the chosen artifact', async () => {
    const { current, pinned, single } = await prepare();
    // A release says nothing of how its artifacts are expanded.
    const { expansion: _expansion, ...record } = single;
    for (const url of [current, pinned]) {
      expect(await resolve(url)).toMatchObject({ record, release: { release: 'r1' } });
    }
  });

  it('leads through a release of which another version has measured other things', async () => {
    const { current, pinned } = await prepare();
    const { artifacts } = JSON.parse(await readFile(pinned, 'utf8'));
    await change(pinned, { artifacts: artifacts.map((each: object) => ({ ...each, bench: { v: 2 } })) });
    expect(await resolve(current)).toMatchObject({ release: { release: 'r1' } });
  });

  it('refuses a release that says it is another one', async () => {
    const { current, pinned } = await prepare();
    await change(pinned, { release: 'r2' });
    for (const url of [current, pinned]) {
      await expect(resolve(url)).rejects.toMatchObject({
        code: 'record-wrong',
        facts: { where: pinned, problem: '`release` is "r2", expected "r1"' },
      });
    }
  });

  it('refuses a release of another model', async () => {
    const { current, pinned } = await prepare();
    await change(pinned, { name: 'other' });
    for (const url of [current, pinned]) {
      await expect(resolve(url)).rejects.toMatchObject({
        code: 'record-wrong',
        facts: { where: pinned, problem: '`name` is "other", expected "tiny"' },
      });
    }
  });

  it('refuses a current.json of another model than the one it lies with', async () => {
    const { current } = await prepare();
    await change(current, { name: 'other' });
    await expect(resolve(current)).rejects.toMatchObject({
      code: 'record-wrong',
      facts: { where: current, problem: '`name` is "other", expected "tiny"' },
    });
  });

  it('refuses a model that was moved to another name', async () => {
    const { store } = await prepare();
    await rename(join(store, 'tiny'), join(store, 'other'));
    await expect(resolve(join(store, 'other/current.json'))).rejects.toMatchObject({
      code: 'record-wrong',
      facts: { problem: '`name` is "tiny", expected "other"' },
    });
  });
});
