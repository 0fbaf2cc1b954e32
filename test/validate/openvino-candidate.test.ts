import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { describeProcessor } from '../../src/lib/processor.js';
import { quietContext } from '../../src/lib/work-context.js';
import { describeEngineIsolated } from '../../src/runtimes/run-isolated.js';
import { validateStep } from '../../src/validate/step.js';
import { validateParity } from '../../src/validate/validate-parity.js';
import { type TinyArtifact, writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { encodeModel, node, value } from '../fixtures/tiny-onnx.js';
import { requireOpenvino } from '../services/require-openvino.js';

const inputs = { x: {} };

describe('a candidate for OpenVINO', () => {
  let folder: string;
  beforeEach(async (context) => {
    await requireOpenvino(context);
    folder = await mkdtemp(join(tmpdir(), 'parity-openvino-'));
  });

  async function makePair(tiny: TinyArtifact) {
    const [reference, candidate] = [join(folder, 'reference'), join(folder, 'candidate')];
    await writeTinyArtifact(reference);
    await writeTinyArtifact(candidate, { ...tiny, engine: 'openvino' });
    return { reference: join(reference, 'model.onnx'), candidate };
  }

  it.each(['single', 'external', 'ir', 'blob'] as const)(
    'runs there and is held against onnxruntime: %s',
    async (layout) => {
      const pair = await makePair({ layout });
      const result = await validateParity({ ...pair, inputs, bounds: {} });
      expect(result).toMatchObject({
        verdict: 'pass',
        bounds: { rtol: 1e-2, atol: 1e-3 },
        engines: {
          reference: { engine: 'onnxruntime', inference: 'f32' },
          candidate: { engine: 'openvino', version: expect.stringMatching(/^20\d\d\./), inference: 'f32' },
        },
        findings: [],
      });
    },
  );

  it.each(['bf16', 'f16'] as const)('computed in %s only where the processor can', async (inference) => {
    const pair = await makePair({ inference });
    const { inferencePrecisions } = await describeEngineIsolated('openvino', quietContext());
    const isAble = inferencePrecisions.includes(inference);
    const step = validateStep({
      ...{
        ...pair,
        inputs,
        bounds: {},
        subject: 's',
        ground: { version: '1', processor: describeProcessor() },
      },
      ...{ referenceSha256: 'a', candidateDigest: 'b' },
    });
    const { output, verdict } = await step.call(quietContext());
    expect(output.engines.candidate.inference).toBe(isAble ? inference : 'f32');
    expect(output.bounds).toMatchObject(inference === 'bf16' ? { rtol: 5e-2, atol: 2e-2 } : { rtol: 1e-2 });
    expect([output.verdict, verdict]).toEqual(isAble ? ['pass', 'ok'] : ['inconclusive', 'partly']);
    expect(output.findings.map(({ code }) => code)).toEqual(isAble ? [] : ['parity-inference-not-used']);
    // Another processor may be able to.
    expect(await step.ensures(output, quietContext())).toBe(isAble);
  });

  it('fails where OpenVINO does not know an operator that onnxruntime knows', async () => {
    const model = encodeModel(
      {
        input: [value('x', 'float32', [8, 8])],
        output: [value('y', 'float32', [8, 8])],
        node: [node('Inverse', ['x'], ['y'], [], 'com.microsoft')],
      },
      { opsetImport: ['', 'com.microsoft'].map((domain) => ({ domain, version: domain === '' ? 17 : 1 })) },
    );
    const pair = await makePair({ model });
    await writeFile(pair.reference, model);
    const result = await validateParity({ ...pair, inputs, bounds: {} });
    expect(result).toMatchObject({
      ...{ verdict: 'fail', outputs: [] },
      engines: { candidate: { engine: 'openvino', version: null, inference: null } },
      findings: [
        {
          ...{ code: 'parity-candidate-refused', severity: 'error' },
          facts: { engine: 'openvino', problem: expect.stringContaining('com.microsoft.Inverse') },
          remedy: expect.stringContaining('onnxruntime'),
        },
      ],
    });
  });

  it('is an error of the environment where there is no OpenVINO', async () => {
    const pair = await makePair({});
    const { OPENVINO_LIB_PATH } = process.env;
    process.env.OPENVINO_LIB_PATH = join(folder, 'none.so');
    const run = validateParity({ ...pair, inputs, bounds: {} });
    await expect(run).rejects.toMatchObject({ code: 'openvino-path-wrong' });
    process.env.OPENVINO_LIB_PATH = OPENVINO_LIB_PATH;
  });

  it('changes the key of its step with the version of OpenVINO, which no other has in it', () => {
    const options = {
      subject: 's',
      reference: 'r',
      candidate: 'c',
      referenceSha256: 'a',
      candidateDigest: 'b',
    };
    const processor = describeProcessor();
    const keyOf = (version: string | null) => {
      const ground = version === null ? null : { version, processor };
      return validateStep({ ...options, inputs, bounds: {}, ground }).key;
    };
    expect(keyOf('2026.4.1')).not.toEqual(keyOf('2027.0.0'));
    expect(keyOf(null)).not.toHaveProperty('engineVersion');
  });
});
