import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import type { ConvertOptions } from '../../src/convert/convert-options.js';
import type { InputSpec } from '../../src/inputs/input-spec.js';
import { validateParity } from '../../src/validate/validate-parity.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { encodeModel, floatTensor, intAttribute, node, value } from '../fixtures/tiny-onnx.js';

const bounds = { rtol: 1e-2, atol: 1e-3 };
const types = { referenceType: 'float32', candidateType: 'float16' };
const halved = (name: string) => ({ name, ...types });
const fed = (name: string, overflowCount = 0) => ({ ...halved(name), overflowCount });

/** FLOAT a and b, INT64 n; gives y = a·w, z = b + w and the count m = n. */
const twoWays: onnx.IGraphProto = {
  input: [value('a', 'float32', [4]), value('b', 'float32', [4]), value('n', 'int64', [1])],
  output: [value('y', 'float32', [4]), value('z', 'float32', [4]), value('m', 'int64', [1])],
  initializer: [floatTensor('w', [4], [1.1, -0.7, 0.3, 2])],
  node: [node('Mul', ['a', 'w'], ['y']), node('Add', ['b', 'w'], ['z']), node('Identity', ['n'], ['m'])],
};

describe('validating a model whose inputs and outputs became FP16', () => {
  const tempFolder = useTempFolder();

  async function save(graph: onnx.IGraphProto): Promise<string> {
    const path = join(await tempFolder(), 'model.onnx');
    await writeFile(path, encodeModel(graph));
    return path;
  }

  async function convert(reference: string, options: Partial<ConvertOptions>): Promise<string> {
    const out = join(await tempFolder(), 'converted.onnx');
    await convertModel(completeOptions({ model: reference, out, ...options }));
    return out;
  }

  function compare(reference: string, candidate: string, inputs: Record<string, InputSpec> = {}) {
    return validateParity({ reference, candidate, inputs, bounds });
  }

  it.each(['fp16', 'fp16-weights'] as const)(
    'passes, and says which types changed: all of them, %s',
    async (precision) => {
      const reference = await save(twoWays);
      const candidate = await convert(reference, { precision, io: 'fp16' });
      const result = await compare(reference, candidate);
      expect(result).toMatchObject({
        verdict: 'pass',
        outputs: [
          { name: 'y', status: 'within', type: 'float32' },
          { name: 'z', status: 'within', type: 'float32' },
          { name: 'm', status: 'equal' },
        ],
      });
      const said = result.findings.filter(({ code }) => code === 'parity-io-differs');
      expect(said).toMatchObject([
        {
          severity: 'info',
          facts: { candidate, inputs: [fed('a'), fed('b')], outputs: [halved('y'), halved('z')] },
          what: expect.stringContaining('input `a` is float16 instead of float32'),
          remedy: expect.stringContaining('--io'),
        },
      ]);
    },
  );

  it.each([
    ['b', [fed('b')], []],
    ['y', [], [halved('y')]],
  ] as const)('passes, and says which type changed: that of %s alone', async (name, inputs, outputs) => {
    const reference = await save(twoWays);
    const result = await compare(reference, await convert(reference, { io: [name] }));
    expect(result.verdict).toBe('pass');
    const said = result.findings.filter(({ code }) => code === 'parity-io-differs');
    expect(said).toMatchObject([{ severity: 'info', facts: { inputs, outputs } }]);
  });

  it('says nothing of types that did not change', async () => {
    const reference = await save(twoWays);
    const { verdict, findings } = await compare(reference, await convert(reference, {}));
    expect(verdict).toBe('pass');
    expect(findings.map(({ code }) => code)).not.toContain('parity-io-differs');
  });

  it('holds FP16 outputs to the same bounds', async () => {
    const reference = await save(twoWays);
    const weights = [floatTensor('w', [4], [1.2, -0.7, 0.3, 2])];
    const candidate = await convert(await save({ ...twoWays, initializer: weights }), { io: 'fp16' });
    expect(await compare(reference, candidate)).toMatchObject({
      verdict: 'fail',
      outputs: [{ status: 'outside', outsideCount: 1, worstIndex: 0 }, { status: 'outside' }, {}],
    });
  });

  it('warns of numbers fed that FP16 does not hold', async () => {
    const reference = await save(twoWays);
    const candidate = await convert(reference, { io: ['a'] });
    const result = await compare(reference, candidate, { a: { fill: 'constant', value: 7e4 } });
    expect(result.verdict).toBe('fail');
    const said = result.findings.filter(({ code }) => code === 'parity-io-differs');
    expect(said).toMatchObject([
      {
        severity: 'warning',
        facts: { inputs: [fed('a', 4)] },
        what: expect.stringContaining('4 numbers fed became infinite'),
      },
    ]);
  });

  it('still refuses the way back and any other type', async () => {
    const reference = await save(twoWays);
    const candidate = await convert(reference, { io: 'fp16' });
    const cast = (to: 'float16' | 'float64', number: number) =>
      save({
        input: [value('x', 'float32', [4])],
        output: [value('y', to, [4])],
        node: [node('Cast', ['x'], ['y'], [intAttribute('to', number)])],
      });
    const back = await compare(candidate, reference);
    expect(back).toMatchObject({ verdict: 'fail', outputs: [] });
    const refused = back.findings.filter(({ severity }) => severity === 'error');
    expect(refused).toMatchObject([{ code: 'parity-candidate-refused', facts: { code: 'feed-wrong' } }]);
    const [half, double] = [await cast('float16', 10), await cast('float64', 11)];
    for (const [given, other, reason] of [
      [half, double, 'the candidate gives float64, the reference float16'],
      [double, half, 'the candidate gives float16, the reference float64'],
    ] as const) {
      expect(await compare(given, other)).toMatchObject({
        verdict: 'fail',
        outputs: [{ status: 'outside', reason }],
      });
    }
  });
});
