import { execFileSync } from 'node:child_process';
import { mkdir, open, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { externalFilesOf } from '../../src/onnx/external-files.js';
import { readModel } from '../../src/onnx/read-model.js';
import { readTensor } from '../../src/onnx/read-tensor.js';
import { encode, graph, model, node, value } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
let folder = '';
let modelFolder = '';

beforeEach(async () => {
  folder = await tempFolder();
  modelFolder = join(folder, 'model');
  await mkdir(join(modelFolder, 'a'), { recursive: true });
  await writeFile(join(folder, 'secret.bin'), bytesOf(9, 9));
});

function bytesOf(...values: number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}

type Entries = Readonly<Record<string, string>>;

async function saveModel(entries: Entries): Promise<string> {
  const externalData = Object.entries(entries).map(([key, text]) => ({ key, value: text }));
  const weight = { name: 'w', dims: [2], dataType: 1, dataLocation: 1, externalData };
  const path = join(modelFolder, 'm.onnx');
  const main = graph({
    nodes: [node('Add', ['x', 'w'], ['y'])],
    inputs: [value('x')],
    outputs: [value('y')],
    initializers: [weight],
  });
  await writeFile(path, encode(model(main)));
  return path;
}

async function refusal(entries: Entries): Promise<string> {
  const path = await saveModel(entries);
  const error = await catchError(async () => externalFilesOf(await readModel(path)));
  expect(error.code).toBe('external-data-refused');
  expect(error.exitCode).toBe(2);
  expect(error.facts).toMatchObject({ tensor: 'w', location: entries.location ?? '' });
  expect(error.message).toContain("'w'");
  return String(error.facts.reason);
}

async function readWeight(entries: Entries): Promise<number[]> {
  const read = await readModel(await saveModel(entries));
  const tensor = read.model.graph?.initializer?.[0] ?? {};
  return Array.from((await readTensor(read.path, tensor, 'w')).data as Float32Array);
}

describe('the place of external data', () => {
  it('must not be above the model folder', async () => {
    expect(await refusal({ location: '../secret.bin' })).toContain('outside');
  });

  it('must not be an absolute path', async () => {
    expect(await refusal({ location: join(folder, 'secret.bin') })).toContain('relative');
    expect(await refusal({ location: '/dev/zero', length: '8' })).toContain('relative');
  });

  it('must not be a link that leads out', async () => {
    await symlink('../secret.bin', join(modelFolder, 'w.bin'));
    expect(await refusal({ location: 'w.bin' })).toContain('outside');
  });

  it('must be a regular file, and a pipe is not waited for', async () => {
    execFileSync('mkfifo', [join(modelFolder, 'pipe')]);
    expect(await refusal({ location: 'pipe' })).toContain('regular');
    expect(await refusal({ location: 'a' })).toContain('regular');
  });

  it('may go through a folder and back', async () => {
    await writeFile(join(modelFolder, 'w2.bin'), bytesOf(7, 8));
    expect(await readWeight({ location: 'a/../w2.bin' })).toEqual([7, 8]);
  });

  it('may be beside the file that the model is a link to, as hub caches have it', async () => {
    await writeFile(join(modelFolder, 'w.bin'), bytesOf(5, 6));
    const path = await saveModel({ location: 'w.bin' });
    const link = join(folder, 'snapshot');
    await mkdir(link);
    await symlink(path, join(link, 'm.onnx'));
    await symlink(join(modelFolder, 'w.bin'), join(link, 'w.bin'));
    const [file] = await externalFilesOf(await readModel(join(link, 'm.onnx')));
    expect(file).toMatchObject({ location: 'w.bin', sizeBytes: 8, referencedBytes: 8, tensorCount: 1 });
  });
});

describe('a hub cache, where model and data are links to files with other names', () => {
  async function saveCache(dataTarget: string): Promise<string> {
    const blobs = join(folder, 'hub', 'blobs');
    const snapshot = join(folder, 'hub', 'snapshots', 'abc', 'onnx');
    await mkdir(blobs, { recursive: true });
    await mkdir(snapshot, { recursive: true });
    await rename(await saveModel({ location: 'model.onnx_data' }), join(blobs, '0a1b'));
    await writeFile(join(blobs, '2c3d'), bytesOf(5, 6));
    await symlink('../../../blobs/0a1b', join(snapshot, 'model.onnx'));
    await symlink(dataTarget, join(snapshot, 'model.onnx_data'));
    return join(snapshot, 'model.onnx');
  }

  it('is read through the links', async () => {
    const path = await saveCache('../../../blobs/2c3d');
    const read = await readModel(path);
    expect(await externalFilesOf(read)).toMatchObject([
      {
        location: 'model.onnx_data',
        path: join(await realpath(folder), 'hub', 'blobs', '2c3d'),
        sizeBytes: 8,
      },
    ]);
    const tensor = read.model.graph?.initializer?.[0] ?? {};
    expect((await readTensor(path, tensor, 'w')).data).toEqual(Float32Array.of(5, 6));
  });

  it('gives no way to files elsewhere', async () => {
    const path = await saveCache('../../../../secret.bin');
    const error = await catchError(async () => externalFilesOf(await readModel(path)));
    expect(error.facts.reason).toBe('it lies outside the folder of the model');
  });
});

describe('several data files', () => {
  const entry = (location: string, offset: number, length: number) =>
    Object.entries({ location, offset: String(offset), length: String(length) }).map(([key, text]) => ({
      ...{ key, value: text },
    }));

  it('may share ranges and be larger than 2 GiB', async () => {
    const places = [
      ['a', 'small.bin', 0],
      ['b', 'small.bin', 0],
      ['c', 'large.bin', 5 * 2 ** 30],
    ] as const;
    const initializers = places.map(([name, location, offset]) => {
      return { name, dims: [2], dataType: 1, dataLocation: 1, externalData: entry(location, offset, 8) };
    });
    const path = join(modelFolder, 'm.onnx');
    await writeFile(path, encode(model(graph({ nodes: [], initializers }))));
    await writeFile(join(modelFolder, 'small.bin'), bytesOf(1, 2));
    const large = await open(join(modelFolder, 'large.bin'), 'w');
    await large.write(bytesOf(3, 4), 0, 8, 5 * 2 ** 30);
    await large.close();
    const read = await readModel(path);
    expect(await externalFilesOf(read)).toMatchObject([
      { location: 'large.bin', sizeBytes: 5 * 2 ** 30 + 8, referencedBytes: 8, tensorCount: 1 },
      { location: 'small.bin', sizeBytes: 8, referencedBytes: 16, tensorCount: 2 },
    ]);
    const values = await Promise.all(
      (read.model.graph?.initializer ?? []).map(async (tensor) => (await readTensor(path, tensor, 'w')).data),
    );
    expect(values).toEqual([Float32Array.of(1, 2), Float32Array.of(1, 2), Float32Array.of(3, 4)]);
  });
});

describe('the range of external data', () => {
  beforeEach(async () => {
    await writeFile(join(modelFolder, 'w.bin'), bytesOf(1, 2, 3, 4));
  });

  it.each([
    [{ location: 'nope.bin' }, 'there is no such file'],
    [{ location: 'w.bin', offset: '12', length: '8' }, 'it needs bytes 12..20, the file has 16'],
    [{ location: 'w.bin', offset: '-4', length: '8' }, "its offset '-4' is not a decimal number of bytes"],
    [{ location: 'w.bin', offset: '0', length: '4' }, 'its length is 4 bytes, but its shape needs 8 bytes'],
    [{ location: 'w.bin', offset: '0', length: '16' }, 'its length is 16 bytes, but its shape needs 8 bytes'],
    [
      { location: 'w.bin', offset: '18446744073709551612', length: '8' },
      'it needs bytes 18446744073709551612..18446744073709551620, the file has 16',
    ],
    [{ location: '' }, 'no location is given'],
    [{ location: 'w.bin', offset: '1e1', length: '8' }, "its offset '1e1' is not a decimal number of bytes"],
  ])('%j is refused', async (entries, reason) => {
    expect(await refusal(entries)).toBe(reason);
  });

  it('may leave the length out, or begin in the middle', async () => {
    expect(await readWeight({ location: 'w.bin', offset: '4' })).toEqual([2, 3]);
    expect(await readWeight({ location: 'w.bin', offset: '8', length: '8' })).toEqual([3, 4]);
  });
});
