import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openModel } from '../../src/loader/index.js';
import { catchError } from '../fixtures/catch-error.js';
import { type ReleasedModel, writeReleasedModel } from '../fixtures/released-model.js';

const variable = 'OPTIMISE_MODEL_RELEASE';
let released: ReleasedModel;
let folder: string;

beforeEach(async () => {
  released = await writeReleasedModel('layer', 1);
  folder = join(released.store, 'tiny');
  // What is current moves on to another release, of the other variant.
  const release = JSON.parse(await readFile(released.pinned, 'utf8'));
  const { digest, variant } = released.external;
  const next = { ...release, release: 'r2', chosen: { ...release.chosen, digest, variantId: variant.id } };
  await writeFile(join(folder, 'releases', 'r2.json'), JSON.stringify(next));
  const current = JSON.parse(await readFile(released.current, 'utf8'));
  const moved = { ...current, release: 'r2', releaseKey: 'releases/r2.json' };
  await writeFile(released.current, JSON.stringify(moved));
});

afterEach(() => vi.unstubAllEnvs());

async function opened(source: string, options = {}): Promise<readonly unknown[]> {
  const model = await openModel(source, { onLog: () => undefined, ...options });
  await model.close();
  return [model.release, model.variant?.id];
}

describe('a handler that is pinned to a release', () => {
  it('keeps it when what is current moves, by the option or the environment', async () => {
    for (const source of [released.current, folder, `${folder}/`]) {
      expect(await opened(source)).toEqual(['r2', 'fp32.external']);
      expect(await opened(source, { release: 'r1' })).toEqual(['r1', 'fp32.single']);
      vi.stubEnv(variable, 'r1');
      expect(await opened(source)).toEqual(['r1', 'fp32.single']);
      expect(await opened(source, { release: 'r2' })).toEqual(['r2', 'fp32.external']);
      vi.stubEnv(variable, '');
    }
  });

  it('lets a source that names a release or an artifact win over the environment', async () => {
    vi.stubEnv(variable, 'r2');
    const artifact = join(folder, 'objects', released.single.digest);
    expect(await opened(released.pinned)).toEqual(['r1', 'fp32.single']);
    expect(await opened(artifact)).toEqual([null, 'fp32.single']);
    expect(await opened(join(artifact, 'artifact.json'))).toEqual([null, 'fp32.single']);
  });

  it('is told when the option contradicts the source', async () => {
    const artifact = join(folder, 'objects', released.single.digest, 'artifact.json');
    for (const [source, named] of [
      [released.pinned, 'the release r1'],
      [artifact, 'an artifact'],
    ] as const) {
      await expect(opened(source, { release: 'r2' })).rejects.toMatchObject({
        code: 'release-contradicted',
        facts: { release: 'r2', named },
      });
    }
    expect(await opened(released.pinned, { release: 'r1' })).toEqual(['r1', 'fp32.single']);
  });

  it('is told where releases are listed when its address names one that is not there', async () => {
    const failure = await catchError(() => opened(join(folder, 'releases', 'r9.json')));
    expect(failure.code).toBe('object-missing');
    expect(failure.remedy).toContain('optimise-model releases list STORE');
    expect(failure.remedy).not.toContain('artifact.json');
  });

  it('is told when there is no such release, or it is no name of one', async () => {
    for (const source of [released.current, folder]) {
      await expect(opened(source, { release: 'r9' })).rejects.toMatchObject({
        code: 'release-not-there',
        facts: { release: 'r9', by: 'release' },
      });
    }
    vi.stubEnv(variable, '../r1');
    await expect(opened(released.current)).rejects.toMatchObject({
      code: 'open-option-wrong',
      facts: { option: variable },
    });
  });
});
