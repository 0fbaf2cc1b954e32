import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OptimiseModelError } from '../../src/messages/error.js';
import type { PipelineProblem } from '../../src/messages/pipeline-messages.js';
import { findPipelineFile } from '../../src/pipeline/find-pipeline-file.js';
import { readPipeline } from '../../src/pipeline/read-pipeline.js';

async function writePipeline(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'pipeline-')), 'p.yaml');
  await writeFile(path, text);
  return path;
}

async function problemsOf(text: string): Promise<readonly PipelineProblem[]> {
  const error = (await readPipeline(await writePipeline(text)).catch((e) => e)) as OptimiseModelError;
  expect(error.code).toBe('pipeline-invalid');
  expect(error.exitCode).toBe(2);
  return error.facts.problems as readonly PipelineProblem[];
}

describe('reading a pipeline file', () => {
  it('fills in defaults and makes paths absolute, relative to the file', async () => {
    const path = await writePipeline('name: a\nmodel: ../m.onnx\ninputs: { x: { file: x.npy } }\n');
    const pipeline = await readPipeline(path, {}, '/work-folder');
    expect(pipeline.model).toBe(join(path, '../../m.onnx'));
    expect(pipeline.inputs.x?.file).toBe(join(path, '../x.npy'));
    expect(pipeline.output).toBe('/work-folder/artifacts/a');
    expect(pipeline.stage).toEqual({ to: '/work-folder/artifacts/store', concurrency: 4, tags: {} });
    expect(pipeline.variants.map((variant) => variant.precision)).toEqual(['fp32', 'fp16-weights']);
    expect(pipeline.parity).toEqual({ rtol: 1e-2, atol: 1e-3 });
    expect(pipeline.publish).toBeNull();
  });

  it('lets overrides win over the file, with paths relative to the current folder', async () => {
    const path = await writePipeline('name: a\nmodel: m.onnx\nbench: { runs: 9, warm: 3 }\n');
    const overrides = { to: 'there', runs: 2, objective: 'ready', output: 'out' };
    const pipeline = await readPipeline(path, overrides, '/work-folder');
    expect(pipeline.stage.to).toBe('/work-folder/there');
    expect(pipeline.bench).toMatchObject({ runs: 2, warm: 3 });
    expect(pipeline.pick.objective).toBe('ready');
    expect(pipeline.output).toBe('/work-folder/out');
  });

  it('publishes without conditions only when told to, and by no flag where it publishes nothing', async () => {
    const path = await writePipeline('name: a\nmodel: m.onnx\npublish: { to: current }\n');
    expect((await readPipeline(path)).publish).toEqual({ to: 'current', unconditional: false });
    const told = await readPipeline(path, { unconditional: true });
    expect(told.publish).toEqual({ to: 'current', unconditional: true });
    const set = await writePipeline('name: a\nmodel: m.onnx\npublish: { unconditional: true }\n');
    expect((await readPipeline(set)).publish).toEqual({ to: 'current', unconditional: true });
    expect((await readPipeline(set, { unconditional: false })).publish?.unconditional).toBe(false);
    const none = await writePipeline('name: a\nmodel: m.onnx\n');
    expect((await readPipeline(none, { unconditional: true })).publish).toBeNull();
  });

  it('keeps store addresses with a scheme as they are', async () => {
    const path = await writePipeline('name: a\nmodel: m.onnx\nstage: { to: s3://models/vit }\n');
    expect((await readPipeline(path)).stage.to).toBe('s3://models/vit');
  });

  it('takes a section with nothing behind it as left out, and an address with a slash too few as an address', async () => {
    const path = await writePipeline('name: a\nmodel: m.onnx\nbench:\nstage: { to: "s3:/bucket/x" }\n');
    const pipeline = await readPipeline(path);
    expect(pipeline.bench.runs).toBe(7);
    expect(pipeline.stage.to).toBe('s3:/bucket/x');
  });

  it('names line, column and the nearest key of every unknown key', async () => {
    const problems = await problemsOf('name: a\nmodel: m.onnx\nbench:\n  runz: 3\nvarients: []\n');
    expect(problems).toEqual([
      expect.objectContaining({ path: 'bench.runz', line: 4, column: 3, suggestion: 'runs' }),
      expect.objectContaining({ path: 'varients', line: 5, column: 1, suggestion: 'variants' }),
    ]);
  });

  it('finds unknown keys inside lists and named inputs', async () => {
    const text = 'name: a\nmodel: m\nvariants:\n  - { precison: fp32 }\ninputs: { x: { sead: 1 } }\n';
    const problems = await problemsOf(text);
    expect(problems).toContainEqual(
      expect.objectContaining({ path: 'variants.0.precison', line: 4, column: 7, suggestion: 'precision' }),
    );
    expect(problems).toContainEqual(expect.objectContaining({ path: 'inputs.x.sead', suggestion: 'seed' }));
  });

  it('refuses words that it does not know, with those that it does', async () => {
    const [problem] = await problemsOf('name: a\nmodel: m\nvariants: [{ precision: fp16-mixed }]\n');
    expect(problem?.problem).toContain('"fp16-mixed", which is unknown; known: fp32, fp16-weights, fp16');
    const [delivery] = await problemsOf('name: a\nmodel: m\nbench: { deliveries: [pigeon] }\n');
    expect(delivery?.problem).toContain('known: s3-copy, layer, lazy, stream, url, mount');
  });

  it('says what is missing', async () => {
    const problems = await problemsOf('name: a\n');
    expect(problems).toEqual([expect.objectContaining({ path: 'model', problem: '`model` is missing' })]);
  });

  it('says a misspelt key once, not also as missing', async () => {
    const problems = await problemsOf('name: a\nmodle: m.onnx\n');
    expect(problems).toEqual([expect.objectContaining({ path: 'modle', suggestion: 'model' })]);
  });

  it.each([
    ['bench: { runs: 0 }', '`bench.runs` is 0; it must be at least 1'],
    ['bench: { warm: many }', '`bench.warm` is "many"; it must be a number'],
    ['bench: { disk: { mbPerSecond: 0 } }', '`bench.disk.mbPerSecond` is 0; it must be more than 0'],
    ['bench: { targetWidth: 5% }', 'must be a number; write 0.05'],
    ['bench: { targetWidth: 0 }', 'it must be more than 0'],
    ['bench: { deliveries: [mount] }', '`bench.mount.folder`'],
    ['name: "a/b"', '`name` is "a/b"; it must be letters, digits'],
  ])('words what a value must be: %s', async (line, words) => {
    const rest = line.startsWith('name') ? '' : 'name: a\n';
    const [problem] = await problemsOf(`${rest}model: m\n${line}\n`);
    expect(problem?.problem).toContain(words);
  });

  it.each([
    ['m.onnx', true],
    ['p.yaml', false],
  ])('refuses bytes that are no text: %s', async (name, isModel) => {
    const path = join(await mkdtemp(join(tmpdir(), 'pipeline-')), name);
    await writeFile(path, Buffer.from([8, 7, 0, 1]));
    await expect(readPipeline(path)).rejects.toMatchObject({
      code: 'pipeline-is-no-text',
      facts: { isModel },
    });
  });

  it.each([
    ['variants: *nope', 'alias'],
    [
      'a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c, *c]',
      'alias',
    ],
  ])('refuses aliases that lead nowhere or everywhere', async (line, word) => {
    const [problem] = await problemsOf(`name: a\nmodel: m\n${line}\n`);
    expect(problem?.problem.toLowerCase()).toContain(word);
  });

  it('says what a value must be, in words', async () => {
    const problems = await problemsOf(
      'name: a\nmodel: m.onnx\npick: { limits: 3, startModes: { provisioned: true } }\n',
    );
    expect(problems.map(({ problem }) => problem)).toEqual([
      '`pick.limits` is 3; it must be an object',
      '`pick.startModes.provisioned` is true; it must be a mapping: write `provisioned: {}` for its defaults',
    ]);
  });

  it('lets the schema refuse a section that is no mapping, also under an override', async () => {
    const path = await writePipeline('name: a\nmodel: m.onnx\nbench: x\n');
    await expect(readPipeline(path, { runs: 2 })).rejects.toMatchObject({ code: 'pipeline-invalid' });
  });

  it('refuses the same variant twice', async () => {
    const problems = await problemsOf(
      'name: a\nmodel: m\nvariants: [{ precision: fp32 }, { precision: fp32 }]\n',
    );
    expect(problems[0]?.problem).toContain('more than once');
  });

  it('refuses a run folder inside the store', async () => {
    const [problem] = await problemsOf('name: store\nmodel: m\n');
    expect(problem?.problem).toContain('is inside the store');
  });

  it('reports YAML that cannot be parsed, with its place', async () => {
    const [problem] = await problemsOf('name: [a\nmodel: m\n');
    expect(problem?.line).toBeGreaterThan(0);
  });
});

describe('finding a pipeline file', () => {
  it('lists the known pipelines when the name is unknown', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pipelines-'));
    const error = (await findPipelineFile('nope', folder).catch((e) => e)) as OptimiseModelError;
    expect(error.code).toBe('pipeline-not-found');
    const unnamed = (await findPipelineFile(undefined, folder).catch((e) => e)) as OptimiseModelError;
    expect(unnamed.code).toBe('pipeline-not-named');
  });
});
