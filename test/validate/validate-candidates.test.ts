import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../src/lib/sha256.js';
import { quietContext } from '../../src/lib/work-context.js';
import { digestFiles } from '../../src/store/artifact-record.js';
import { validateStep } from '../../src/validate/step.js';
import { validateParity } from '../../src/validate/validate-parity.js';
import { writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { copyingExpansion } from '../fixtures/expand-artifact.js';
import { awaitIsolatedChild, slowGraph } from '../fixtures/isolated-child.js';
import {
  addModel,
  bounds,
  compare,
  npy,
  parityFolder,
  save,
  useParityFolder,
  x2,
  y2,
} from '../fixtures/parity-models.js';
import { node, value } from '../fixtures/tiny-onnx.js';

const identity = { subject: 's', referenceSha256: 'a', candidateDigest: 'b', ground: null };

useParityFolder();

async function saveArtifact(path: string, precision: string): Promise<string> {
  const artifact = join(parityFolder.path, precision);
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

// One of them waits for its time limit, and the others need not wait for it.
describe.concurrent('validateParity of candidates', () => {
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
    const options = { inputs: {}, bounds };
    const late = validateParity({ ...options, timeoutMs: 500, reference: slow, candidate: good });
    await expect(late).rejects.toMatchObject({ code: 'runtime-late' });
    // Long enough for a reference on a busy machine, too.
    const times = { ...options, timeoutMs: 5000 };
    const result = await validateParity({ ...times, reference: good, candidate: slow });
    expect(result).toMatchObject({ verdict: 'inconclusive', outputs: [] });
    expect(result.findings).toMatchObject([
      { code: 'parity-candidate-refused', severity: 'warning', facts: { code: 'runtime-late' } },
    ]);
  });

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

describe('validateParity', () => {
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

  it('reads an artifact that was damaged without a change of size for no conversion', async () => {
    const artifact = join(parityFolder.path, 'damaged');
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
    const artifact = join(parityFolder.path, 'loose');
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
    await expect(compare(join(parityFolder.path, 'none.onnx'))).rejects.toMatchObject({
      code: 'model-not-found',
    });
    await expect(compare(good, parityFolder.path)).rejects.toMatchObject({ code: 'artifact-wrong' });
    const ir = join(parityFolder.path, 'ir');
    await writeTinyArtifact(ir, { engine: 'openvino', layout: 'ir' });
    await expect(compare(ir, good)).rejects.toMatchObject({ code: 'parity-reference-no-onnx', exitCode: 2 });
    await expect(compare(good, good, { z: {} })).rejects.toMatchObject({ code: 'input-unknown' });
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
});
