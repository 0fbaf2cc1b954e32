import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { beforeEach, describe, expect, it } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import { quietContext } from '../../src/lib/work-context.js';
import { encode, floats, graph, model, node, ramp, value } from '../fixtures/build-model.js';
import { expectSettled, findTensor, printNodes, readConverted } from '../fixtures/convert-in-code.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { layouts } from '../fixtures/onnx-layouts.js';
import { noise, runOnnx } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
let folder = '';
let source = '';
beforeEach(async () => {
  folder = await tempFolder();
  source = join(folder, 'source.onnx');
});

const size = 3000;
const choices = (['fp16', 'fp16-weights'] as const).flatMap((precision) =>
  layouts.map((layout) => [precision, layout] as const),
);

/** A large tensor with one number that is not as small as the others. */
function withOne(name: string, number: number): onnx.ITensorProto {
  const { rawData } = ramp('', [size]);
  const numbers = new Float32Array(Uint8Array.from(rawData ?? []).buffer);
  numbers[1234] = number;
  return floats(name, [size], [...numbers]);
}

async function build(...weights: readonly onnx.ITensorProto[]): Promise<void> {
  const names = weights.map(({ name }) => name ?? '');
  const nodes = names.map((name, index) =>
    node('Mul', [`v${index}`, name], [index === names.length - 1 ? 'y' : `v${index + 1}`]),
  );
  const first = node('Neg', ['x'], ['v0']);
  const main = graph({
    inputs: [value('x', [size])],
    outputs: [value('y', [size])],
    nodes: [first, ...nodes],
    initializers: [...weights],
  });
  await writeFile(source, encode(model(main)));
}

describe.each(choices)(
  'a number beyond FP16 that shows only when its tensor is rounded, %s.%s',
  (precision, layout) => {
    it('leaves that tensor FP32 and converts the others', async () => {
      await build(ramp('fits', [size]), withOne('large', 70_000));
      const options = completeOptions({
        model: source,
        out: join(folder, 'out', 'm.onnx'),
        precision,
        layout,
      });
      let written = 0;
      const progress = ({ done, total }: { done: number; total?: number }) => {
        if (done === total) written += 1;
      };
      const result = await convertModel(options, { ...quietContext(), progress });
      // The whole model is written once more.
      expect(written).toBe(2);
      const { graph: converted } = await readConverted(options.out);
      expect(findTensor(converted, 'large').dataType).toBe(1);
      expect(findTensor(converted, precision === 'fp16' ? 'fits' : 'fits_fp16').dataType).toBe(10);
      expect(result.weights).toMatchObject({
        ...{ storedAsFp16: 1, values: size, overflowingValues: 1 },
        keptFp32: [{ name: 'large', reason: 'beyond FP16', sizeBytes: size * 4 }],
      });
      expect(result.findings).toMatchObject([
        { code: 'weight-kept-fp32', facts: { tensor: 'large', overflowCount: 1 } },
      ]);
      const names = layout === 'single' ? ['m.onnx'] : ['m.onnx', 'm.onnx.data'];
      expect((await readdir(join(folder, 'out'))).sort()).toEqual(names);
      const feeds = { x: noise([size]) };
      const [before, after] = [(await runOnnx(source, feeds)).y, (await runOnnx(options.out, feeds)).y];
      expect(after?.[1234]).toBeCloseTo(before?.[1234] ?? 0, -2);
      await expectSettled(options.out, options);
    });

    it('leaves all that are equal to it FP32', async () => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      await build(...names.map((name) => withOne(name, 70_000)));
      const options = completeOptions({ model: source, out: join(folder, 'm.onnx'), precision, layout });
      const { weights } = await convertModel(options);
      expect(weights.storedAsFp16).toBe(0);
      expect(weights.keptFp32.map(({ name }) => name)).toEqual(names);
      await expectSettled(options.out, options);
    });

    it('keeps infinity itself', async () => {
      await build(withOne('large', Number.POSITIVE_INFINITY));
      const options = completeOptions({ model: source, out: join(folder, 'm.onnx'), precision, layout });
      const { weights } = await convertModel(options);
      expect(weights).toMatchObject({ storedAsFp16: 1, overflowingValues: 0 });
    });
  },
);

describe('a tensor that FP16 changes too much', () => {
  /** Numbers around the smallest that FP16 holds with all its digits lose up to 1 % and more. */
  const vague = (name: string): onnx.ITensorProto =>
    floats(
      name,
      [size],
      Array.from({ length: size }, (_unused, at) => 3e-6 * (1 + at / size)),
    );

  it.each(layouts)('stays FP32, and says by how much: %s', async (layout) => {
    await build(ramp('fits', [size]), vague('vague'));
    const options = completeOptions({
      model: source,
      out: join(folder, 'm.onnx'),
      precision: 'fp16-weights',
      layout,
    });
    const strict = { ...options, maxWeightError: 1e-3 };
    const { weights, findings } = await convertModel(strict);
    expect(weights.keptFp32).toMatchObject([{ name: 'vague', reason: 'relative error above the limit' }]);
    expect(weights.maxRelativeError).toBeLessThan(1e-3);
    const [finding] = findings.filter(({ code }) => code === 'weight-too-inexact');
    expect(finding?.facts).toMatchObject({ tensor: 'vague', sizeBytes: size * 4, limit: 1e-3 });
    const { relativeError = 0 } = (finding?.facts ?? {}) as { relativeError?: number };
    expect(relativeError).toBeGreaterThan(1e-3);
    await expectSettled(options.out, strict);
    const wide = await convertModel({ ...options, maxWeightError: relativeError });
    expect(wide.weights).toMatchObject({ storedAsFp16: 2, keptFp32: [], maxRelativeError: relativeError });
  });

  it('is FP16 where FP16 is what reads it', async () => {
    await build(vague('vague'));
    const options = completeOptions({ model: source, out: join(folder, 'm.onnx'), maxWeightError: 1e-3 });
    const { weights } = await convertModel(options);
    expect(weights.storedAsFp16).toBe(1);
    expect(printNodes((await readConverted(options.out)).graph)).toContain('Mul v0,vague -> y_fp16');
  });

  it('is lossless where every number fits', async () => {
    await build(
      floats(
        'exact',
        [size],
        Array.from({ length: size }, (_unused, at) => (at % 256) / 8),
      ),
      ramp('fits', [size]),
    );
    const options = completeOptions({
      model: source,
      out: join(folder, 'm.onnx'),
      precision: 'fp16-weights',
    });
    const { weights } = await convertModel(options);
    expect(weights).toMatchObject({ storedAsFp16: 2, losslessTensors: 1, values: 2 * size });
    const bytes = await readFile(options.out);
    expect(bytes.length).toBeLessThan(2 * size * 2 + 1000);
  });
});

describe('a number beyond FP16 that FP16 nodes read since its rule is off', () => {
  it('is told to become infinite there, and its tensor to stay FP32', async () => {
    await build(withOne('large', 70_000));
    const out = join(folder, 'm.onnx');
    const wish = { precision: 'fp16', layout: 'single', withoutRules: ['beyond-fp16'] } as const;
    const result = await convertModel(completeOptions({ model: source, out, ...wish }), quietContext());
    expect(result.findings).toContainEqual(
      expect.objectContaining({
        code: 'weight-becomes-infinite',
        severity: 'warning',
        facts: { tensor: 'large', scope: 'graph', sizeBytes: 4 * size, overflowCount: 1 },
      }),
    );
    expect(result.weights).toMatchObject({
      overflowingValues: 1,
      keptFp32: [{ name: 'large', reason: 'beyond FP16' }],
    });
  });
});
