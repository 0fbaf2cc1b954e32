import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readPipeline } from '../../src/pipeline/read-pipeline.js';
import { type RunOutcome, runPipeline } from '../../src/run-pipeline.js';
import { findOpenvino } from '../../src/runtimes/openvino/find-openvino.js';
import { encodeModel, floatTensor, node, value } from '../fixtures/tiny-onnx.js';
import { requireOpenvino } from '../services/require-openvino.js';
import { type CliResult, makeProject, runCli } from './run-cli.js';

const pipeline = (variants: readonly string[]) => `name: tiny
model: ../model.onnx
convert: { minWeightBytes: 0 }
variants:
${variants.map((variant) => `  - { ${variant} }\n`).join('')}
bench: { runs: 1, warm: 1, deliveries: [stream], link: real, cache: warm }
`;
const ir = 'precision: fp16-weights, engine: openvino';
const command = 'python3 -m pip install openvino';

async function readResult(folder: string) {
  return JSON.parse(await readFile(join(folder, 'artifacts', 'tiny', 'result.json'), 'utf8')).result;
}

const linesOf = ({ stderr }: CliResult) =>
  stderr.split('\n').filter((line) => /^[✓✗↻!] (convert|validate)/.test(line));

describe('a run that asks for OpenVINO where there is none', () => {
  let nowhere: NodeJS.ProcessEnv;
  beforeEach(async (context) => {
    nowhere = { PATH: await mkdtemp(join(tmpdir(), 'no-python-')) };
    const isThere = await findOpenvino(nowhere).then(
      () => true,
      () => false,
    );
    if (isThere) context.skip('this machine has OpenVINO in a folder of the system');
  });

  it('goes on without its variants and says the command that adds it once; the record shows it too', async () => {
    const folder = await makeProject(pipeline(['precision: fp32', ir, `${ir}, layout: single`]));
    const run = await runCli(['run'], folder, nowhere);
    expect(run.exitCode).toBe(0);
    expect(run.stderr.split(command)).toHaveLength(2);
    expect(linesOf(run).filter((line) => line.includes('left out'))).toHaveLength(2);
    const result = await readResult(folder);
    expect(result).toMatchObject({
      pick: { winner: { variantId: 'fp32.single' } },
      leftOut: [
        { variantId: 'fp16-weights.openvino.ir', code: 'runtime-missing' },
        { variantId: 'fp16-weights.openvino.single', code: 'runtime-missing' },
      ],
    });
    const report = await runCli(['report'], folder, nowhere);
    expect(report.stdout).toContain('### Left out');
    expect(await readResult(folder)).toMatchObject({ leftOut: result.leftOut });
  }, 240_000);

  it('ends with that reason where nothing else is asked for', async () => {
    const run = await runCli(['run'], await makeProject(pipeline([ir])), nowhere);
    expect([run.exitCode, run.stdout]).toEqual([3, '']);
    expect(run.stderr).toContain(command);
  });
});

describe('a run with OpenVINO', () => {
  it('makes and proves what it was left without before, and reuses all of it', async (context) => {
    await requireOpenvino(context);
    const folder = await makeProject(pipeline(['precision: fp32', ir, `${ir}, layout: single`]));
    const asked = await readPipeline(join(folder, 'pipelines', 'tiny.yaml'), {}, folder);
    const { OPENVINO_LIB_PATH, PATH } = process.env;
    Object.assign(process.env, { OPENVINO_LIB_PATH: '', PATH: folder });
    const without = await runPipeline(asked, { until: 'validate' });
    Object.assign(process.env, { OPENVINO_LIB_PATH, PATH });
    const outcome = await runPipeline(asked, { until: 'validate' });
    expect(without.variants.map(({ id }) => id)).toEqual(['fp32.single']);
    expect(outcome).toMatchObject({
      ...{ leftOut: [], notes: [] },
      variants: [
        { parity: { verdict: 'pass', engines: { candidate: { engine: 'onnxruntime' } } } },
        { parity: { verdict: 'pass', engines: { candidate: { engine: 'openvino', inference: 'f32' } } } },
        { parity: { verdict: 'pass', engines: { candidate: { engine: 'openvino', inference: 'f32' } } } },
      ],
    });
    const reused = (steps: RunOutcome['steps']) => steps.map((step) => step.reused);
    // Another engine that appears makes nothing of onnxruntime anew.
    expect(reused(outcome.steps)).toEqual([true, false, false, true, false, false]);
    const again = await runPipeline(asked, { until: 'validate' });
    expect(reused(again.steps)).toEqual(Array(6).fill(true));
  });

  it('ranks what onnxruntime runs where OpenVINO does not know an operator of the model', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const folder = await makeProject(pipeline(['precision: fp32', ir, `${ir}, layout: single`]));
    await writeFile(join(folder, 'model.onnx'), makeInverse());
    const env = { OPENVINO_LIB_PATH: libraryPath };
    expect((await runCli(['run'], folder, env)).exitCode).toBe(0);
    expect(await readResult(folder)).toMatchObject({
      leftOut: [{ variantId: 'fp16-weights.openvino.ir', code: 'openvino-refused-model' }],
      parity: [{ verdict: 'pass' }, { variantId: 'fp16-weights.openvino.single', verdict: 'fail' }],
      pick: { winner: { variantId: 'fp32.single' } },
    });
    const again = await runCli(['run'], folder, env);
    expect(again.stderr).toMatch(/(\d+) of \1 steps reused/);
  }, 240_000);
});

describe('a shell without OpenVINO', () => {
  it('neither replaces a release that ships what OpenVINO opens nor measures such a run again', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const env = { OPENVINO_LIB_PATH: libraryPath };
    const nowhere = { PATH: await mkdtemp(join(tmpdir(), 'no-python-')) };
    const text = `${pipeline(['precision: fp32', ir])}pick: { objective: size }\npublish: { to: current }\n`;
    const folder = await makeProject(text);
    expect((await runCli(['run'], folder, env)).exitCode).toBe(0);
    const current: string = (await readResult(folder)).publish.currentUrl;
    const published = await readFile(current, 'utf8');
    expect(await readResult(folder)).toMatchObject({
      pick: { winner: { variantId: 'fp16-weights.openvino.ir' } },
    });
    for (const verb of ['bench', 'publish']) {
      const { exitCode, stdout } = await runCli([verb, 'tiny', '--json'], folder, nowhere);
      expect([exitCode, JSON.parse(stdout).error.code]).toEqual([3, 'runtime-missing']);
    }
    expect((await runCli(['pick', 'tiny'], folder, nowhere)).stdout).toContain('fp16-weights.openvino.ir');
    const run = await runCli(['run', '--json'], folder, nowhere);
    expect(run.exitCode).toBe(4);
    expect(JSON.parse(run.stdout)).toMatchObject({
      status: 'unjudged',
      result: { publish: null, pick: { winner: { variantId: 'fp32.single' } } },
      findings: expect.arrayContaining([
        expect.objectContaining({
          code: 'run-held-back-left-out',
          remedy: expect.stringContaining(command),
        }),
      ]),
    });
    expect(await readFile(current, 'utf8')).toBe(published);
    await writeFile(join(folder, 'pipelines', 'tiny.yaml'), text.replace(`  - { ${ir} }\n`, ''));
    expect((await runCli(['run'], folder, nowhere)).exitCode).toBe(0);
    expect(await readFile(current, 'utf8')).not.toBe(published);
  }, 240_000);
});

/** onnxruntime has `com.microsoft.Inverse`, OpenVINO has not. */
function makeInverse(): Uint8Array {
  const weights = Array.from({ length: 64 }, (_, index) => (index % 9 === 0 ? 20 : Math.sin(index)));
  return encodeModel(
    {
      input: [value('x', 'float32', [8, 8])],
      output: [value('y', 'float32', [8, 8])],
      initializer: [floatTensor('w', [8, 8], weights)],
      node: [node('Add', ['x', 'w'], ['h']), node('Inverse', ['h'], ['y'], [], 'com.microsoft')],
    },
    { opsetImport: ['', 'com.microsoft'].map((domain) => ({ domain, version: domain === '' ? 17 : 1 })) },
  );
}
