import { execFileSync } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { beforeEach, describe, expect, it } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import type { ConvertOptions } from '../../src/convert/convert-options.js';
import { precisions } from '../../src/lib/variant.js';
import { encode, graph, model, node, value } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { layouts } from '../fixtures/onnx-layouts.js';
import { feed, runOnnx } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
let folder = '';
let models = '';
beforeEach(async () => {
  folder = await tempFolder();
  models = join(folder, 'model');
  await mkdir(join(models, 'a'), { recursive: true });
  await writeFile(join(folder, 'secret.bin'), bytesOf(9, 9));
  await writeFile(join(models, 'w.bin'), bytesOf(1, 2, 3, 4));
});

function bytesOf(...values: number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}

type Entries = Readonly<Record<string, string>>;

/** Adds `w`, two numbers of a data file, to `x`. */
async function save(entries: Entries): Promise<string> {
  const externalData = Object.entries(entries).map(([key, text]) => ({ key, value: text }));
  const tensor: onnx.ITensorProto = { name: 'w', dims: [2], dataType: 1, dataLocation: 1, externalData };
  const main = graph({
    inputs: [value('x')],
    outputs: [value('y')],
    nodes: [node('Add', ['x', 'w'], ['y'])],
    initializers: [tensor],
  });
  const path = join(models, 'm.onnx');
  await writeFile(path, encode(model(main)));
  return path;
}

const variants = precisions.flatMap((precision) =>
  layouts.map((layout): Pick<ConvertOptions, 'precision' | 'layout'> => ({ precision, layout })),
);

/** What a conversion says, in all variants and to both kinds of output; nothing may be left. */
async function refusals(entries: Entries): Promise<string> {
  const path = await save(entries);
  await mkdir(join(folder, 'out'));
  const reasons = new Set<string>();
  for (const variant of variants) {
    for (const name of ['artifact', 'bare.onnx']) {
      const options = completeOptions({ model: path, out: join(folder, 'out', name), ...variant });
      const error = await catchError(() => convertModel(options));
      expect(error).toMatchObject({ code: 'external-data-refused', exitCode: 2 });
      expect(error.facts).toMatchObject({ tensor: 'w', location: entries.location ?? '' });
      expect(error.message).toContain("'w'");
      reasons.add(String(error.facts.reason));
      expect(await readdir(join(folder, 'out'))).toEqual([]);
    }
  }
  expect(reasons.size).toBe(1);
  return [...reasons][0] ?? '';
}

async function convertedSums(entries: Entries): Promise<(number[] | undefined)[]> {
  const path = await save(entries);
  const sums: (number[] | undefined)[] = [];
  for (const [index, variant] of variants.entries()) {
    const out = join(folder, `out-${index}`, 'bare.onnx');
    await convertModel(completeOptions({ model: path, out, ...variant }));
    sums.push((await runOnnx(out, { x: feed([2], [0, 0]) })).y);
  }
  return sums;
}

describe('a conversion of a tensor that is stored outside of the model folder', () => {
  it('is refused for a step up', async () => {
    expect(await refusals({ location: '../secret.bin' })).toContain('outside');
  });

  it('is refused for an absolute path', async () => {
    expect(await refusals({ location: join(folder, 'secret.bin') })).toContain('relative');
  });

  it('is refused for a device', async () => {
    expect(await refusals({ location: '/dev/zero', length: '8' })).toContain('relative');
  });

  it('is refused for a link that leads out', async () => {
    await symlink('../secret.bin', join(models, 'link.bin'));
    expect(await refusals({ location: 'link.bin' })).toContain('outside');
  });

  it('is refused for a pipe, which is not waited for', async () => {
    execFileSync('mkfifo', [join(models, 'pipe')]);
    expect(await refusals({ location: 'pipe' })).toContain('regular');
  });

  it('is done when the path only looks like leading out', async () => {
    await writeFile(join(models, 'w2.bin'), bytesOf(7, 8));
    expect(await convertedSums({ location: 'a/../w2.bin' })).toEqual(variants.map(() => [7, 8]));
  });
});

describe('a conversion of a tensor that cannot be read in full', () => {
  it.each([
    ['of a file that is not there', { location: 'nope.bin' }, 'no such file'],
    [
      'behind the end',
      { location: 'w.bin', offset: '12', length: '8' },
      'needs bytes 12..20, the file has 16',
    ],
    ['before the beginning', { location: 'w.bin', offset: '-4', length: '8' }, "'-4' is not a decimal"],
    ['of too few bytes', { location: 'w.bin', offset: '0', length: '4' }, 'shape needs 8 bytes'],
    ['of too many bytes', { location: 'w.bin', offset: '0', length: '16' }, 'shape needs 8 bytes'],
    [
      'behind 2^64',
      { location: 'w.bin', offset: '18446744073709551612', length: '8' },
      '18446744073709551620',
    ],
    ['of an offset that is no whole number', { location: 'w.bin', offset: '1e1' }, "'1e1' is not a decimal"],
    ['of no file at all', { location: '' }, 'no location'],
  ])('is refused: %s', async (_name, entries, reason) => {
    expect(await refusals(entries as Entries)).toContain(reason);
  });

  it('is done when the length is left out, or the tensor begins in the middle', async () => {
    expect(await convertedSums({ location: 'w.bin', offset: '4' })).toEqual(variants.map(() => [2, 3]));
  });

  it('is done up to the last byte', async () => {
    const sums = await convertedSums({ location: 'w.bin', offset: '8', length: '8' });
    expect(sums).toEqual(variants.map(() => [3, 4]));
  });
});
