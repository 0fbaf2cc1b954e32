import * as fileSystem from 'node:fs/promises';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import type { ConvertOptions } from '../../src/convert/convert-options.js';
import { encode, floats, graph, model, node, value } from '../fixtures/build-model.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { leaveFolder } from '../fixtures/left-behind.js';
import { noise, runOnnx } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof fileSystem>();
  return { ...original, rename: vi.fn(original.rename) };
});

const rename = vi.mocked(fileSystem.rename);
const really = rename.getMockImplementation();
const tempFolder = useTempFolder();
let folder = '';
let out = '';

beforeEach(async () => {
  folder = await tempFolder();
  await mkdir(join(folder, 'out'));
  out = join(folder, 'out', 'm.onnx');
});
afterEach(() => {
  if (really) rename.mockImplementation(really);
});

/** A model of one large weight that is the same number throughout, so that wrong data shows. */
async function convert(number: number, more: Partial<ConvertOptions> = {}): Promise<void> {
  const path = join(folder, `source-${number}.onnx`);
  const main = graph({
    inputs: [value('x', [2000])],
    outputs: [value('y', [2000])],
    nodes: [node('Mul', ['x', 'w'], ['y'])],
    initializers: [floats('w', [2000], Array(2000).fill(number))],
  });
  await writeFile(path, encode(model(main)));
  const how = { precision: 'fp32', layout: 'external' } as const;
  await convertModel(completeOptions({ model: path, out, ...how, ...more }));
}

/** Stops the world right before that rename, as a kill does: nothing after it happens, no clean-up either. */
function dieBeforeRenameTo(target: string): Promise<void> {
  return new Promise((died) => {
    rename.mockImplementation(async (from, to) => {
      if (to !== target) return really?.(from, to);
      died();
      return new Promise(() => undefined);
    });
  });
}

async function weightThere(): Promise<number | undefined> {
  const { y } = await runOnnx(out, { x: noise([2000]) });
  return Math.round((y?.[0] ?? 0) / Number(noise([2000]).data[0]));
}

describe('a bare model with a data file', () => {
  it('replaces an old pair', async () => {
    await convert(2);
    await convert(3);
    expect((await readdir(join(folder, 'out'))).sort()).toEqual(['m.onnx', 'm.onnx.data']);
    expect(await weightThere()).toBe(3);
  });

  it('removes what a conversion that was killed left beside the same file', async () => {
    await leaveFolder(join(folder, 'out'), '.m.onnx.', '.part');
    await convert(2);
    expect((await readdir(join(folder, 'out'))).sort()).toEqual(['m.onnx', 'm.onnx.data']);
  });

  it('is never an old model with new data, wherever the work is cut off', async () => {
    await convert(2);
    const died = dieBeforeRenameTo(out);
    void convert(3);
    await died;
    expect(new Float32Array((await readFile(`${out}.data`)).buffer.slice(0, 8000))[0]).toBe(3);
    expect((await readdir(join(folder, 'out'))).filter((name) => !name.endsWith('.part'))).toEqual([
      'm.onnx.data',
    ]);
  });

  it('leaves the old model where it is until its data is about to be replaced', async () => {
    await convert(2);
    const blocked = `${out}.data`;
    rename.mockImplementation(async (from, to) => {
      if (to === blocked) throw new Error('no');
      return really?.(from, to);
    });
    await expect(convert(3)).rejects.toThrow('no');
    expect((await readdir(join(folder, 'out'))).sort()).toEqual(['m.onnx', 'm.onnx.data']);
    expect(await weightThere()).toBe(2);
  });
});

describe('a bare model of one file', () => {
  it('takes the place of the old one in one move', async () => {
    await convert(2, { layout: 'single', precision: 'fp16-weights' });
    const died = dieBeforeRenameTo(out);
    void convert(3, { layout: 'single', precision: 'fp16-weights' });
    await died;
    expect(await weightThere()).toBe(2);
  });
});
