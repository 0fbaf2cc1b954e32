import { describe, expect, it } from 'vitest';
import type { InputSpec } from '../../src/inputs/input-spec.js';
import { addModel, compare, npy, save, useParityFolder, x2, y2 } from '../fixtures/parity-models.js';
import { floatAttribute, floatTensor, intAttribute, node, value } from '../fixtures/tiny-onnx.js';

useParityFolder();

describe('validateParity', () => {
  it('passes a model against itself', async () => {
    const result = await compare(await addModel(1));
    expect(result).toMatchObject({
      verdict: 'pass',
      reason: '1 output equal.',
      nondeterministic: [],
      findings: [],
    });
    const version = expect.stringMatching(/^1\./);
    const engine = { engine: 'onnxruntime', version, inference: 'f32' };
    expect(result.engines).toEqual({ reference: engine, candidate: engine });
  });

  it('leaves out an output that the engine cannot return, and says so', async () => {
    const both = await save({
      input: x2,
      output: [...y2, value('__proto__', 'float32', [2])],
      node: [node('Neg', ['x'], ['y']), node('Abs', ['x'], ['__proto__'])],
    });
    const result = await compare(both);
    expect(result.verdict).toBe('partial');
    expect(result.outputs[1]).toMatchObject({
      ...{ name: '__proto__', status: 'skipped' },
      reason: 'onnxruntime-node cannot return an output of this name',
    });
  });

  it('passes a small difference and fails a large one, saying what would do', async () => {
    const reference = await addModel(10);
    const near = await compare(reference, await addModel(10.004));
    expect(near).toMatchObject({ verdict: 'pass', outputs: [{ status: 'within' }] });
    const far = await compare(reference, await addModel(11));
    expect(far).toMatchObject({ verdict: 'fail', outputs: [{ status: 'outside', outsideCount: 2 }] });
    expect(far.reason).toMatch(/it would need rtol 0\.\d+ with atol 0\.0001 or atol/);
    expect(far.findings).toMatchObject([{ code: 'parity-exceeded', severity: 'error' }]);
  });

  it('takes elements that are NaN on both sides for equal, but not an output that is nothing else', async () => {
    const division = await save({ input: x2, output: y2, node: [node('Div', ['x', 'x'], ['y'])] });
    const some = await compare(division, division, { x: { file: await npy(0, 1) } });
    expect(some).toMatchObject({
      verdict: 'pass',
      outputs: [{ nanBoth: 1, maxAbsError: 0, status: 'equal' }],
    });
    const all = await compare(division, division, { x: { fill: 'zeros' } });
    expect(all).toMatchObject({ verdict: 'inconclusive', findings: [{ code: 'parity-unjudged' }] });
  });

  it('sees an epsilon that became zero when it is given a constant row', async () => {
    const chain = (epsilon: number) => {
      const axes = { name: 'axes', type: 7, ints: [-1] };
      const mean = (from: string, to: string) =>
        node('ReduceMean', [from], [to], [axes, intAttribute('keepdims', 1)]);
      return save({
        input: [value('x', 'float32', [1, 4])],
        output: [value('y', 'float32', [1, 4])],
        initializer: [floatTensor('two', [], [2]), floatTensor('e', [], [epsilon])],
        node: [
          mean('x', 'mn'),
          node('Sub', ['x', 'mn'], ['c']),
          node('Pow', ['c', 'two'], ['sq']),
          mean('sq', 'v'),
          node('Add', ['v', 'e'], ['ve']),
          node('Sqrt', ['ve'], ['sd']),
          node('Div', ['c', 'sd'], ['y']),
        ],
      });
    };
    const [reference, broken, kept] = [await chain(1e-12), await chain(0), await chain(2 ** -24)];
    const row: Record<string, InputSpec> = { x: { fill: 'constant', value: 3 } };
    expect(await compare(reference, broken, row)).toMatchObject({
      verdict: 'fail',
      outputs: [{ nanCandidate: 4 }],
    });
    expect(await compare(reference, kept, row)).toMatchObject({
      verdict: 'pass',
      outputs: [{ isConstant: true, maxAbsReference: 0 }],
      findings: [{ code: 'parity-constant-output', severity: 'warning', facts: { outputs: ['y'] } }],
    });
  });

  it('does not pass a candidate whose outputs the bounds cannot tell from zeros', async () => {
    const scale = (weight: number) =>
      save({
        input: x2,
        output: y2,
        initializer: [floatTensor('w', [2], [weight, weight])],
        node: [node('Mul', ['x', 'w'], ['y'])],
      });
    const [reference, candidate] = [await scale(1e-5), await scale(3e-6)];
    const result = await compare(reference, candidate);
    expect(result).toMatchObject({
      verdict: 'inconclusive',
      outputs: [{ status: 'within', belowAtolShare: 1, passedBy: 'zeros' }],
    });
    expect(result.findings).toMatchObject([
      {
        code: 'parity-not-discriminating',
        severity: 'warning',
        facts: { candidate, outputs: [{ name: 'y', belowAtolShare: 1, passedBy: 'zeros' }] },
        remedy: expect.stringContaining('--atol'),
      },
    ]);
    expect(await compare(reference, reference)).toMatchObject({ verdict: 'pass', findings: [] });
  });

  it('notes a constant output beside others that carry the verdict', async () => {
    const model = await save({
      input: x2,
      output: [...y2, value('z', 'float32', [2])],
      initializer: [floatTensor('w', [2], [0, 0])],
      node: [node('Mul', ['x', 'w'], ['z']), node('Abs', ['x'], ['y'])],
    });
    expect(await compare(model, model, { x: { fill: 'uniform', min: 1, max: 2 } })).toMatchObject({
      verdict: 'pass',
      findings: [{ code: 'parity-constant-output', severity: 'info', facts: { outputs: ['z'] } }],
    });
  });

  it('compares the tensors of a classifier and says what it skipped', async () => {
    const map = { mapType: { keyType: 7, valueType: { tensorType: { elemType: 1 } } } };
    const labels = { name: 'classlabels_int64s', type: 7, ints: [0, 1] };
    const classifier = await save(
      {
        input: [value('x', 'float32', [1, 2])],
        output: [value('lab', 'int64', [1]), { name: 'p', type: { sequenceType: { elemType: map } } }],
        node: [
          node('Softmax', ['x'], ['sm'], [intAttribute('axis', -1)]),
          node('ZipMap', ['sm'], ['p'], [labels], 'ai.onnx.ml'),
          node('ArgMax', ['x'], ['lab'], [intAttribute('axis', 1), intAttribute('keepdims', 0)]),
        ],
      },
      {
        opsetImport: [
          { domain: '', version: 17 },
          { domain: 'ai.onnx.ml', version: 1 },
        ],
      },
    );
    expect(await compare(classifier)).toMatchObject({
      verdict: 'partial',
      outputs: [
        { name: 'lab', status: 'equal' },
        { name: 'p', status: 'skipped', reason: 'not a tensor' },
      ],
    });
  });

  it('is inconclusive when no output is a tensor', async () => {
    const type = { sequenceType: { elemType: { tensorType: { elemType: 1 } } } };
    const sequence = await save({
      input: x2,
      output: [{ name: 's', type }],
      node: [node('SequenceConstruct', ['x', 'x'], ['s'])],
    });
    expect(await compare(sequence)).toMatchObject({
      verdict: 'inconclusive',
      outputs: [{ name: 's', status: 'skipped' }],
    });
  });

  it('passes a seeded random operator, since each side runs in a fresh session', async () => {
    const seeded = await save({
      input: [value('x', 'float32', [4])],
      output: [value('y', 'float32', [4])],
      node: [
        node('RandomNormalLike', ['x'], ['r'], [floatAttribute('seed', 1)]),
        node('Add', ['x', 'r'], ['y']),
      ],
    });
    expect(await compare(seeded, seeded, { x: { fill: 'zeros' } })).toMatchObject({
      verdict: 'pass',
      nondeterministic: [],
    });
  });

  it('is inconclusive about random operators without a seed, but fails another shape', async () => {
    const random = await save({ input: x2, output: y2, node: [node('RandomUniformLike', ['x'], ['y'])] });
    expect(await compare(random)).toMatchObject({
      verdict: 'inconclusive',
      nondeterministic: ['RandomUniformLike'],
    });
    const column = await save({
      input: x2,
      output: [value('y', 'float32', [2, 1])],
      initializer: [{ name: 'a', dataType: 7, dims: [1], int64Data: [1] }],
      node: [node('RandomUniformLike', ['x'], ['r']), node('Unsqueeze', ['r', 'a'], ['y'])],
    });
    expect(await compare(random, column)).toMatchObject({ verdict: 'fail' });
  });

  it('takes a missing output for a failure and mentions an added one', async () => {
    const both = [...y2, value('z', 'float32', [2])];
    const nodes = [node('Abs', ['x'], ['y']), node('Neg', ['x'], ['z'])];
    const one = await save({ input: x2, output: y2, node: nodes.slice(0, 1) });
    const two = await save({ input: x2, output: both, node: nodes });
    expect(await compare(two, one)).toMatchObject({
      verdict: 'fail',
      outputs: [{ status: 'equal' }, { name: 'z', status: 'outside' }],
    });
    expect(await compare(one, two)).toMatchObject({
      verdict: 'pass',
      findings: [{ code: 'parity-output-added', facts: { outputs: ['z'] } }],
    });
  });
});
