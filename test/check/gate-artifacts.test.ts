import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  checkArtifacts,
  type GateOptions,
  gateArtifacts,
  gatherCheck,
} from '../../src/check/check-artifacts.js';
import { writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { catchError } from '../fixtures/catch-error.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
let folder = '';
beforeEach(async () => {
  folder = await tempFolder();
});

/** A file of that size that takes no room on the disk. */
async function makeFile(name: string, sizeBytes: number): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '');
  await truncate(path, sizeBytes);
  return path;
}

async function fits(paths: readonly string[], more: Partial<GateOptions> = {}): Promise<boolean> {
  return (await gateArtifacts({ paths, ...more })).fits;
}

test('what a session of an IR holds is estimated by the model that it was made of', async () => {
  const path = join(folder, 'ir');
  const { sizeBytes } = await writeTinyArtifact(path, { engine: 'openvino', layout: 'ir' });
  const recordPath = join(path, 'artifact.json');
  const record = JSON.parse(await readFile(recordPath, 'utf8'));
  record.provenance.sourceSizeBytes = 10 * sizeBytes;
  await writeFile(recordPath, JSON.stringify(record));
  const { artifacts } = await gatherCheck({ paths: [path] });
  const sizes = { sizeBytes, expandedSizeBytes: sizeBytes, sessionSizeBytes: 10 * sizeBytes };
  expect(artifacts).toMatchObject([sizes]);
});

test('one file of an artifact for OpenVINO is refused with its folder, and a blob that no record names', async () => {
  const path = join(folder, 'ir');
  await writeTinyArtifact(path, { engine: 'openvino', layout: 'ir' });
  await rm(join(path, 'model.bin'));
  const refused = (facts: object) => ({ code: 'artifact-folder-needed', facts });
  const entry = join(path, 'model.xml');
  expect(await catchError(() => gatherCheck({ paths: [entry] }))).toMatchObject(refused({ folder: path }));
  const blob = await makeFile('model.blob', 10);
  expect(await catchError(() => gatherCheck({ paths: [blob] }))).toMatchObject(refused({ folder: null }));
});

describe('a gate without anything required', () => {
  test('says no to 700 MB, since lazy cannot be judged without the memory, and says what to state', async () => {
    const path = await makeFile('big.bin', 700e6);
    const { fits: passes, result } = await gateArtifacts({ paths: [path] });
    expect(passes).toBe(false);
    expect(result.rows.map(({ delivery, verdict }) => [delivery, verdict])).toEqual([
      ['s3-copy', 'fail'],
      ['layer', 'fail'],
      ['lazy', 'pass'],
      ['stream', 'fail'],
    ]);
    expect(result.findings.at(-1)).toMatchObject({
      code: 'memory-not-stated',
      severity: 'error',
      facts: { variantId: 'big.bin' },
    });
  });

  test('lets lazy carry it once the memory is stated and holds it', async () => {
    const path = await makeFile('big.bin', 700e6);
    expect(await fits([path], { memoryMiB: 2048 })).toBe(true);
    expect(await fits([path], { memoryMiB: 512 })).toBe(false);
    expect(await fits([path], { ephemeralMiB: 1024 })).toBe(true);
  });

  test('says no when one of two files of the same name does not fit', async () => {
    const [small, big] = [await makeFile('a/m.bin', 1000), await makeFile('b/m.bin', 700e6)];
    expect(await fits([small])).toBe(true);
    expect(await fits([small, big])).toBe(false);
    expect(await fits([big, small])).toBe(false);
  });

  test('measures a path that is given twice once', async () => {
    const path = await makeFile('a/m.bin', 1000);
    const { result } = await gateArtifacts({ paths: [path, `${folder}/a/../a/m.bin`] });
    expect(result.rows.map((row) => row.variantId)).toEqual(['m.bin', 'm.bin', 'm.bin', 'm.bin']);
  });
});

describe('a folder of artifacts', () => {
  test('is checked artifact by artifact, and said to be', async () => {
    const variants = join(folder, 'variants');
    const artifacts = [join(variants, 'fp16.single'), join(variants, 'fp32.single')];
    await writeTinyArtifact(artifacts[0] ?? '', { precision: 'fp16' });
    await writeTinyArtifact(artifacts[1] ?? '');
    const { fits: passes, result } = await gateArtifacts({ paths: [variants, artifacts[0] ?? ''] });
    expect(passes).toBe(true);
    expect(new Set(result.rows.map((row) => row.variantId))).toEqual(new Set(['fp16.single', 'fp32.single']));
    expect(result.rows).toHaveLength(8);
    expect(result.findings.filter(({ code }) => code === 'folder-of-artifacts')).toMatchObject([
      { severity: 'info', facts: { path: variants, artifacts } },
    ]);
    expect(await fits([variants], { require: [variants, `${variants}:layer`] })).toBe(true);
    const checked = await checkArtifacts({ paths: [variants] });
    expect(checked.findings[0]).toMatchObject({ code: 'folder-of-artifacts' });
  });

  test('is a package, and measured whole, when it holds anything else', async () => {
    await writeTinyArtifact(join(folder, 'package', 'model'));
    await makeFile('package/index.js', 300e6);
    const { fits: passes, result } = await gateArtifacts({
      paths: [join(folder, 'package')],
      deliveries: ['layer'],
    });
    expect(passes).toBe(false);
    expect(result.rows.map(({ variantId }) => variantId)).toEqual(['package']);
  });
});

describe('a gate with requirements', () => {
  test('takes variants, deliveries, paths, and both together', async () => {
    const artifact = join(folder, 'artifact');
    await writeTinyArtifact(artifact);
    const paths = [artifact, await makeFile('b/m.bin', 300e6)];
    const answers: Record<string, boolean> = {};
    const asked = ['fp32.single', artifact, 'layer', 'm.bin:layer', `${paths[1]}:s3-copy`, 'lazy'];
    for (const name of asked) answers[name.replace(folder, '')] = await fits(paths, { require: [name] });
    expect(answers).toEqual({
      'fp32.single': true,
      '/artifact': true,
      layer: false,
      'm.bin:layer': false,
      '/b/m.bin:s3-copy': true,
      lazy: true,
    });
    expect(await fits(paths, { require: ['fp32.single', 'm.bin:layer'] })).toBe(false);
  });

  test('refuses a name that means several artifacts, and takes their paths', async () => {
    const paths = [join(folder, 'one'), join(folder, 'two')];
    for (const path of paths) await writeTinyArtifact(path);
    for (const [name, suffix] of [
      ['fp32.single', ''],
      ['fp32.single:layer', ':layer'],
    ] as const) {
      const error = await catchError(() => gateArtifacts({ paths, require: [name] }));
      expect(error).toMatchObject({ code: 'required-ambiguous', exitCode: 2 });
      expect(error.facts).toEqual({ name, meanings: paths.map((path) => `${path}${suffix}`) });
    }
    expect(await fits(paths, { require: paths.map((path) => `${path}:layer`) })).toBe(true);
  });

  test('refuses a file that is called like a delivery, unless its path is given', async () => {
    const path = await makeFile('layer', 300e6);
    const error = await catchError(() => gateArtifacts({ paths: [path], require: ['layer'] }));
    expect(error.facts).toEqual({ name: 'layer', meanings: ['the delivery layer', path] });
    expect(await fits([path], { require: [`${path}:s3-copy`] })).toBe(true);
  });

  test('refuses a name that nothing has, and deliveries that are not checked', async () => {
    const options = { paths: [await makeFile('m.bin', 1000)], deliveries: ['layer'] } as const;
    for (const name of ['typo', 's3-copy', 'm.bin:s3-copy']) {
      const error = await catchError(() => gateArtifacts({ ...options, require: [name] }));
      expect(error).toMatchObject({ code: 'required-unknown', facts: { name, known: ['m.bin', 'layer'] } });
    }
  });
});
