import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chooseThreads } from '../../src/lib/cpu-quota.js';
import { cfnLint } from '../services/cfn-lint.mjs';

const template = resolve(import.meta.dirname, '../../pipelines/lambda/template.yaml');
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'optimise-model-template-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async (context) => {
  const reason = await cfnLint.whyNot();
  if (reason === undefined) return;
  if (process.env.CI) throw new Error(`In CI this test must run: ${reason}`);
  context.skip(reason);
});

describe('the template of the study', () => {
  it('passes cfn-lint', async () => {
    expect(await cfnLint.lint(template)).toEqual([]);
  }, 120_000);

  it('would not pass with a word that SnapStart does not take', async () => {
    const wrong = join(folder, 'wrong.yaml');
    const text = await readFile(template, 'utf8');
    await writeFile(wrong, text.replaceAll('ApplyOn: PublishedVersions', 'ApplyOn: Latest'));
    expect((await cfnLint.lint(wrong)).join('\n')).toContain("'Latest' is not one of");
  }, 120_000);

  it('gives every function whole processors, as many threads as the loader takes by itself', async () => {
    const { Mappings: mappings } = parse(await readFile(template, 'utf8'), { logLevel: 'silent' });
    const threads = Object.entries<{ Count: string }>(mappings.Threads);
    expect(threads.map(([memory]) => memory)).toEqual(['2048', '4096', '8192']);
    for (const [memory, { Count: count }] of threads) {
      const limits = { cgroupRoot: '/nowhere', cgroupText: null, statusText: null, fallbackCpus: 16 };
      const env = { AWS_LAMBDA_FUNCTION_MEMORY_SIZE: memory };
      expect(count).toBe(`${chooseThreads({ ...limits, env }).threads}`);
    }
  });

  it('has all six functions, by the names of the study', async () => {
    const text = await readFile(template, 'utf8');
    const names = [...text.matchAll(/FunctionName: (\S+)/g)].map(([, name]) => name);
    expect(names).toEqual([
      'src_lambda_onnx_normal',
      'src_lambda_onnx_snapstart',
      'src_lambda_openvino_normal',
      'src_lambda_openvino_snapstart',
      'docker_lambda_vanilla_pytorch',
      'docker_lambda_pytorch_pickle',
      'src_lambda_node_loader',
    ]);
  });
});
