import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { InputSpec } from '../../src/inputs/input-spec.js';
import { hashBytes } from '../../src/lib/sha256.js';
import { quietContext } from '../../src/lib/work-context.js';
import { digestFiles } from '../../src/store/artifact-record.js';
import { validateStep } from '../../src/validate/step.js';
import { validateParity } from '../../src/validate/validate-parity.js';
import { writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { copyingExpansion } from '../fixtures/expand-artifact.js';
import { awaitIsolatedChild, slowGraph } from '../fixtures/isolated-child.js';
import {
  encodeModel,
  floatAttribute,
  floatTensor,
  intAttribute,
  node,
  value,
} from '../fixtures/tiny-onnx.js';

const bounds = { rtol: 1e-3, atol: 1e-4 };
const identity = { subject: 's', referenceSha256: 'a', candidateDigest: 'b', ground: null };
const x2 = [value('x', 'float32', [2])];
const y2 = [value('y', 'float32', [2])];

describe('validateParity', () => {
  let folder: string;
  let count = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parity-'));
  });

  async function save(graph: onnx.IGraphProto, more: onnx.IModelProto = {}): Promise<string> {
    count += 1;
    const path = join(folder, `m${count}.onnx`);
    await writeFile(path, encodeModel(graph, more));
    return path;
  }

  async function npy(...data: number[]): Promise<string> {
    count += 1;
    const path = join(folder, `x${count}.npy`);
    const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${data.length},), }`;
    const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0]);
    await writeFile(
      path,
      Buffer.concat([start, Buffer.from(header), Buffer.from(Float32Array.from(data).buffer)]),
    );
    return path;
  }

  async function addModel(weight: number): Promise<string> {
    const w = floatTensor('w', [2], [weight, weight]);
    return save({ input: x2, output: y2, initializer: [w], node: [node('Add', ['x', 'w'], ['y'])] });
  }

  function compare(reference: string, candidate = reference, inputs: Record<string, InputSpec> = {}) {
    return validateParity({ reference, candidate, inputs, bounds });
  }

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

  it('fails a candidate that the engine refuses or that takes other inputs, and throws for such a reference', async () => {
    const good = await addModel(1);
    const refused = await save({ input: x2, output: y2, node: [node('NoSuchOperator', ['x'], ['y'])] });
    const renamed = await save({
      input: [value('z', 'float32', [2])],
      output: y2,
      node: [node('Abs', ['z'], ['y'])],
    });
    for (const [candidate, code] of [
      [refused, 'runtime-refused-model'],
      [renamed, 'feed-wrong'],
    ] as const) {
      const result = await compare(good, candidate);
      expect(result).toMatchObject({ verdict: 'fail', outputs: [] });
      expect(result.findings).toMatchObject([
        { code: 'parity-candidate-refused', facts: { code, candidate } },
      ]);
    }
    await expect(compare(refused, good)).rejects.toMatchObject({ code: 'runtime-refused-model' });
  });

  it('does not judge a candidate that runs into the time limit, and throws for such a reference', async () => {
    const [good, slow] = [await addModel(1), await save(slowGraph([2]))];
    const options = { inputs: {}, bounds, timeoutMs: 5000 };
    const result = await validateParity({ ...options, reference: good, candidate: slow });
    expect(result).toMatchObject({ verdict: 'inconclusive', outputs: [] });
    expect(result.findings).toMatchObject([
      { code: 'parity-candidate-refused', severity: 'warning', facts: { code: 'runtime-late' } },
    ]);
    const late = validateParity({ ...options, timeoutMs: 500, reference: slow, candidate: good });
    await expect(late).rejects.toMatchObject({ code: 'runtime-late' });
  });

  it.each([
    ['SIGSEGV', 'fail', 'error', 'optimise-model convert'],
    ['SIGKILL', 'inconclusive', 'warning', 'more memory'],
  ] as const)(
    'judges a candidate whose process ends by %s: %s',
    async (signal, verdict, severity, remedy) => {
      const [reference, candidate] = [await addModel(1), await save(slowGraph([2]))];
      const options = { reference, candidate, inputs: {}, bounds };
      const step = validateStep({ ...identity, ...options });
      let killing: Promise<unknown> | undefined;
      // The first event of progress says that the reference is done.
      const progress = () => {
        killing ??= awaitIsolatedChild().then((pid) => process.kill(pid, signal));
      };
      const { output } = await step.call({ ...quietContext(), progress });
      await killing;
      expect(output).toMatchObject({ verdict, outputs: [] });
      expect(output.findings).toMatchObject([
        {
          code: 'parity-candidate-refused',
          severity,
          facts: { code: 'runtime-crashed', candidate },
          remedy: expect.stringContaining(remedy),
        },
      ]);
      // What was killed may run another day; what crashed stays broken.
      expect(await step.ensures(output, quietContext())).toBe(verdict === 'fail');
    },
  );

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

  it('reads an artifact that was damaged without a change of size for no conversion', async () => {
    const artifact = join(folder, 'damaged');
    await writeTinyArtifact(artifact);
    const path = join(artifact, 'model.onnx');
    const bytes = await readFile(path);
    const at = bytes.indexOf(Buffer.from(Float32Array.of(1, 2, 3).buffer));
    await writeFile(path, bytes.fill(0x41, at, at + 2));
    await expect(compare(path, artifact)).rejects.toMatchObject({
      code: 'artifact-wrong',
      facts: { problems: [expect.stringContaining('SHA-256')] },
    });
  });

  it('refuses one file of an artifact for OpenVINO, and names the folder', async () => {
    const artifact = join(folder, 'loose');
    await writeTinyArtifact(artifact, { engine: 'openvino', layout: 'ir' });
    await expect(compare(await addModel(1), join(artifact, 'model.xml'))).rejects.toMatchObject({
      code: 'artifact-folder-needed',
      facts: { folder: artifact },
    });
  });

  it('refuses bounds, files and inputs that are wrong before anything runs', async () => {
    const good = await addModel(1);
    const wrongBounds = { rtol: -1, atol: Number.NaN, cosine: 2 };
    await expect(
      validateParity({ reference: good, candidate: good, inputs: {}, bounds: wrongBounds }),
    ).rejects.toMatchObject({
      code: 'parity-bounds-wrong',
      exitCode: 2,
    });
    await expect(compare(join(folder, 'none.onnx'))).rejects.toMatchObject({ code: 'model-not-found' });
    await expect(compare(good, folder)).rejects.toMatchObject({ code: 'artifact-wrong' });
    const ir = join(folder, 'ir');
    await writeTinyArtifact(ir, { engine: 'openvino', layout: 'ir' });
    await expect(compare(ir, good)).rejects.toMatchObject({ code: 'parity-reference-no-onnx', exitCode: 2 });
    await expect(compare(good, good, { z: {} })).rejects.toMatchObject({ code: 'input-unknown' });
  });

  async function saveArtifact(path: string, precision: string): Promise<string> {
    const artifact = join(folder, precision);
    await mkdir(artifact);
    const bytes = await readFile(path);
    await writeFile(join(artifact, 'model.onnx'), bytes);
    const files = [{ path: 'model.onnx', sizeBytes: bytes.length, sha256: hashBytes(bytes) }];
    const record = {
      schemaVersion: 1,
      kind: 'artifact',
      variant: { id: `${precision}.single`, precision, engine: 'onnxruntime', layout: 'single' },
      entry: 'model.onnx',
      files,
      digest: digestFiles(files),
      sizeBytes: bytes.length,
      expandedSizeBytes: bytes.length,
      requires: { engine: 'onnxruntime', minimumVersion: '1.22.0', opset: 17, irVersion: 8 },
      provenance: {
        toolVersion: '0',
        sourceName: 'm.onnx',
        sourceSizeBytes: 1,
        sourceSha256: hashBytes(''),
        options: {},
      },
      expansion: copyingExpansion(files, 'model.onnx'),
    };
    await writeFile(join(artifact, 'artifact.json'), JSON.stringify(record));
    return artifact;
  }

  it('takes an artifact folder for the model in it', async () => {
    const path = await addModel(1);
    expect(await compare(path, await saveArtifact(path, 'fp32'))).toMatchObject({
      verdict: 'pass',
      findings: [],
    });
  });

  it('wonders when a lower precision changes nothing at all', async () => {
    const path = await addModel(1);
    const candidate = await saveArtifact(path, 'fp16-weights');
    expect(await compare(path, candidate)).toMatchObject({
      verdict: 'pass',
      findings: [
        { code: 'parity-untouched', severity: 'warning', facts: { candidate, precision: 'fp16-weights' } },
      ],
    });
    const near = await compare(await addModel(1.0001), candidate);
    expect(near).toMatchObject({ verdict: 'pass', findings: [] });
  });

  it('stops when it is cancelled', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const path = await addModel(1);
    const run = validateParity(
      { reference: path, candidate: path, inputs: {}, bounds },
      { ...quietContext(), signal },
    );
    await expect(run).rejects.toThrow('enough');
  });

  it('is a step whose key follows options and file contents', async () => {
    const [path, file] = [await addModel(1), await npy(1, 2)];
    const make = () =>
      validateStep({
        subject: 'fp32.single',
        reference: path,
        candidate: path,
        referenceSha256: 'a',
        candidateDigest: 'b',
        ground: null,
        inputs: { x: { file } },
        bounds,
      });
    const first = make();
    const { output, line } = await first.call(quietContext());
    expect([line, output.verdict, await first.ensures(output, quietContext())]).toEqual([
      '1 output equal',
      'pass',
      true,
    ]);
    expect(JSON.parse(JSON.stringify(output))).toEqual(output);
    expect(make().key).toEqual(first.key);
    await writeFile(file, await readFile(await npy(3, 4)));
    expect(make().key).not.toEqual(first.key);
  });
});
