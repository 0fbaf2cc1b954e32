import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeProject, runCli, tinyPipeline } from './run-cli.js';

let folder: string;

beforeAll(async () => {
  folder = await makeProject();
  const bytes = await readFile(join(folder, 'model.onnx'));
  await writeFile(join(folder, 'truncated.onnx'), bytes.subarray(0, bytes.length - 1000));
  await writeFile(join(folder, 'empty.onnx'), '');
  await writeFile(join(folder, 'page.onnx'), '<!doctype html><title>not found</title>');
});

/** No stack trace, one error, and an order what to do. */
function expectReadable(stderr: string): void {
  expect(stderr.match(/^error: /gm)).toHaveLength(1);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stderr.trim().split('\n').length).toBeGreaterThan(1);
}

const verbsOnModels: readonly (readonly [string, (path: string) => string[]])[] = [
  ['inspect', (path) => ['inspect', path]],
  ['convert', (path) => ['convert', path, '--out', 'out']],
  ['validate', (path) => ['validate', path, 'model.onnx']],
];

describe.each(verbsOnModels)('%s on a file that is no model', (_verb, argsFor) => {
  it.each([
    ['missing.onnx', 'missing.onnx'],
    ['empty.onnx', 'empty'],
    ['page.onnx', 'page.onnx'],
    ['truncated.onnx', 'truncated'],
  ])('says what %s is, and ends with 2', async (path, word) => {
    const result = await runCli(argsFor(path), folder);
    expect(result.exitCode).toBe(2);
    expect(result.stdout).toBe('');
    expectReadable(result.stderr);
    expect(result.stderr).toContain(word);
    expect(await readdir(folder)).not.toContain('out');
  });
});

describe('usage', () => {
  it.each([
    ['a command that does not exist', ['cost'], "unknown command 'cost'"],
    [
      'a precision that is not built',
      ['convert', 'model.onnx', '--out', 'o', '--precision', 'fp16-mixed'],
      'fp16-mixed',
    ],
    [
      'an engine that is not built',
      ['convert', 'model.onnx', '--out', 'o', '--engine', 'tensorrt'],
      'tensorrt',
    ],
    [
      'a rule that keeps nothing',
      ['convert', 'model.onnx', '--out', 'o', '--keep-fp32', 'Softmax'],
      'op:TYPE, node:NAME or output:NAME',
    ],
    [
      'a rule that does not exist',
      ['convert', 'model.onnx', '--out', 'o', '--without-rule', 'small-number'],
      'Did you mean small-numbers?',
    ],
    ['no path to write to', ['convert', 'model.onnx', '--out', ''], 'It must be a path.'],
    ['a delivery that does not exist', ['check', '.', '--delivery', 'streem'], 'streem'],
    ['a flag that does not exist', ['run', '--fast'], "unknown option '--fast'"],
    ['a number that is none', ['run', '--runs', 'many'], 'many'],
    ['an input that cannot be read', ['validate', 'a', 'b', '--input', 'x'], 'NAME='],
    ['a missing flag', ['stage', 'a', '--to', 'b'], '--name'],
    ['a missing argument', ['inspect'], 'model'],
  ])('refuses %s with 2', async (_what, args, word) => {
    const result = await runCli(args, folder);
    expect(result.exitCode).toBe(2);
    expectReadable(result.stderr);
    expect(result.stderr).toContain(word);
  });

  it('names the line, the column and the nearest key of an unknown key in the pipeline', async () => {
    const project = await makeProject(tinyPipeline.replace('variants:', 'varients:'));
    const result = await runCli(['run'], project);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(/line 3, column 1: unknown key `varients`; did you mean `variants`\?/);
  });

  it('lists the known pipelines and runs when a name is wrong', async () => {
    const run = await runCli(['run', 'tyni'], folder);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('tiny');
    const bench = await runCli(['bench', 'nothing'], folder);
    expect(bench.exitCode).toBe(2);
    expect(bench.stderr).toContain('optimise-model run');
  });
});

describe('checks that say no', () => {
  it('ends with 1 when an artifact fits by no delivery, with used and limit', async () => {
    await mkdir(join(folder, 'big'));
    await writeFile(join(folder, 'big', 'weights.bin'), '');
    await truncate(join(folder, 'big', 'weights.bin'), 600 * 1024 ** 2);
    const result = await runCli(['check', '--delivery', 's3-copy,layer', 'big'], folder);
    expect(result.exitCode).toBe(1);
    expect(result.stdout).toContain('600.0 MiB');
    expect(result.stdout).toContain('512.0 MiB');
    const withLazy = await runCli(['check', 'big'], folder);
    expect(withLazy.exitCode).toBe(1);
    expect(withLazy.stderr).toContain('--memory-mib');
    expect((await runCli(['check', 'big', '--memory-mib', '4096'], folder)).exitCode).toBe(0);
  });

  it('is a gate for what --require names', async () => {
    await mkdir(join(folder, 'middle'));
    await writeFile(join(folder, 'middle', 'weights.bin'), '');
    await truncate(join(folder, 'middle', 'weights.bin'), 300 * 1024 ** 2);
    expect((await runCli(['check', 'middle'], folder)).exitCode).toBe(0);
    expect((await runCli(['check', 'middle', '--require', 'layer'], folder)).exitCode).toBe(1);
    expect((await runCli(['check', 'middle', '--require', 'middle:s3-copy'], folder)).exitCode).toBe(0);
    expect((await runCli(['check', 'middle', '--require', 'typo'], folder)).exitCode).toBe(2);
  });

  it('ends with 1 when parity is exceeded, and says which tolerance it would need', async () => {
    await runCli(['convert', 'model.onnx', '--out', 'half'], folder);
    const pass = await runCli(['validate', 'model.onnx', 'half'], folder);
    expect(pass.exitCode).toBe(0);
    const fail = await runCli(['validate', 'model.onnx', 'half', '--rtol', '0', '--atol', '1e-9'], folder);
    expect(fail.exitCode).toBe(1);
    expect(fail.stdout).toMatch(/would need/);
  });

  it('ends with 4 when the models cannot be compared', async () => {
    const result = await runCli(
      ['validate', 'model.onnx', 'model.onnx', '--input', 'x=fill=constant,value=0'],
      folder,
    );
    expect([0, 4]).toContain(result.exitCode);
  });
});

describe('an environment that does not answer', () => {
  it('ends with 3 and names the endpoint', async () => {
    await runCli(['convert', 'model.onnx', '--out', 'staged'], folder);
    const env = {
      AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9',
      AWS_ACCESS_KEY_ID: 'nobody',
      AWS_SECRET_ACCESS_KEY: 'very-secret-word',
    };
    const result = await runCli(['stage', 'staged', '--to', 's3://models/x', '--name', 'm'], folder, env);
    expect(result.exitCode).toBe(3);
    expectReadable(result.stderr);
    expect(result.stderr).toContain('http://127.0.0.1:9');
    expect(result.stderr).not.toContain('very-secret-word');
  });
});
