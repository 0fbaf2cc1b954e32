import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import type * as reading from '../../src/onnx/read-model.js';
import { encode, graph, model, node, ramp, value } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { expectSettled } from '../fixtures/convert-in-code.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { expectClose } from '../fixtures/expect-close.js';
import { noise } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const limitBytes = 20_000;

/** As if protobuf ended at 20,000 bytes. */
vi.mock('../../src/onnx/read-model.js', async (importOriginal) => ({
  ...(await importOriginal<typeof reading>()),
  messageLimitBytes: 20_000,
}));

const tempFolder = useTempFolder();
let folder = '';
let source = '';
beforeEach(async () => {
  folder = await tempFolder();
  source = join(folder, 'source.onnx');
});

/** Some tensors of 12,000 bytes, in the main graph or in a function. */
async function build(tensors: number, constants = 0): Promise<void> {
  const size = [value('x', [3000])];
  const nodes = Array.from({ length: tensors }, (_unused, at) =>
    node('Mul', [at === 0 ? 'x' : `m${at - 1}`, `w${at}`], [at === tensors - 1 ? 'y' : `m${at}`]),
  );
  const fn = {
    ...{
      name: 'f',
      domain: 'local',
      input: ['a'],
      output: ['a'],
      opsetImport: [{ domain: '', version: 17 }],
    },
    node: Array.from({ length: constants }, (_unused, at) =>
      node('Constant', [], [`k${at}`], { value: ramp('', [3000]) }),
    ),
  };
  const initializers = nodes.map((_unused, at) => ramp(`w${at}`, [3000]));
  for (const [at, tensor] of initializers.entries()) tensor.rawData?.set([at], 0);
  const main = graph({ inputs: size, outputs: [value('y', [3000])], nodes, initializers });
  await writeFile(
    source,
    encode(model(main, { domains: { local: 1 }, functions: constants > 0 ? [fn] : [] })),
  );
}

describe('a model that does not fit into one file', () => {
  it.each(['bare.onnx', 'artifact'])('gets a data file by itself, and says so: %s', async (name) => {
    await build(5);
    const out = join(folder, 'out', name);
    const options = completeOptions({ model: source, out, precision: 'fp16-weights' });
    const result = await convertModel(options);
    expect(result.variant).toMatchObject({ id: 'fp16-weights.external', layout: 'external' });
    expect(result.findings).toMatchObject([
      {
        code: 'layout-became-external',
        severity: 'warning',
        facts: { path: source, sizeBytes: result.sizeBytes, limitBytes },
      },
    ]);
    const target = name === 'artifact' ? join(out, 'model.onnx') : out;
    expect((await stat(target)).size).toBeLessThan(2000);
    expect((await stat(`${target}.data`)).size).toBeGreaterThan(30_000);
    expect(result.record?.variant.layout ?? 'external').toBe('external');
    await expectClose({ source, target }, { x: noise([3000]) });
    if (name === 'bare.onnx') await expectSettled(out, options);
  });

  it('stays one file when its halves fit', async () => {
    await build(3);
    const out = join(folder, 'bare.onnx');
    const options = completeOptions({ model: source, out, precision: 'fp16-weights' });
    const { variant, findings } = await convertModel(options);
    expect([variant.layout, findings]).toEqual(['single', []]);
    expect((await readFile(out)).length).toBeLessThanOrEqual(limitBytes);
  });

  it('is refused when what cannot go into a data file is too much already, before anything is written', async () => {
    await build(1, 4);
    const out = join(folder, 'out', 'bare.onnx');
    for (const layout of ['single', 'external'] as const) {
      const options = completeOptions({ model: source, out, precision: 'fp16-weights', layout });
      const error = await catchError(() => convertModel(options));
      expect(error).toMatchObject({ code: 'model-too-large-inline', exitCode: 2 });
      expect(error.facts).toMatchObject({ path: source, limitBytes });
      expect(await stat(out).catch(() => 'nothing')).toBe('nothing');
    }
  });
});
