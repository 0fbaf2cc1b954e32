import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { importLambdaRuns } from '../../src/bench/import/import-lambda-runs.js';
import { openStore } from '../../src/store/open-store.js';
import { writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { writeReleasedModel } from '../fixtures/released-model.js';
import { lambdaRie, type RunningFunction } from '../services/lambda-rie.mjs';
import { requireOpenvino } from '../services/require-openvino.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';

const root = resolve(import.meta.dirname, '../..');
let s3: RunningS3 | undefined;
let folder = '';
let lambda: RunningFunction | undefined;
let built = '';

/** Installs what a user's folder has, by links, and builds it as `sam build` does. */
async function buildFunction(): Promise<string> {
  const source = join(folder, 'source');
  await cp(join(root, 'pipelines/lambda/node-loader'), source, { recursive: true });
  await mkdir(join(source, 'node_modules'));
  await symlink(root, join(source, 'node_modules/optimise-model'));
  for (const name of ['esbuild', 'onnxruntime-node']) {
    await symlink(join(root, 'node_modules', name), join(source, 'node_modules', name));
  }
  const target = join(folder, 'function');
  const env = { ...process.env, LAMBDA_ARCHITECTURE: process.arch };
  await promisify(execFile)(process.execPath, [join(source, 'build.mjs'), target], { cwd: source, env });
  return target;
}

async function stageModel(delivery: 's3-copy' | 'lazy'): Promise<void> {
  const released = await writeReleasedModel(delivery, 1);
  const bucket = await openStore(`s3://models/${delivery}`);
  for (const name of await readdir(released.store, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const path = join(name.parentPath, name.name);
    await bucket.write(path.slice(released.store.length + 1), await readFile(path), undefined);
  }
  await rm(released.store, { recursive: true });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'optimise-model-lambda-'));
  s3 = await startS3IfFound();
  if (s3 === undefined || (await lambdaRie.find()) === undefined) return;
  useS3(s3);
  await mkdir(join(s3.folder, 'models'));
  await stageModel('s3-copy');
  await stageModel('lazy');
  built = await buildFunction();
  lambda = await startFunction(s3, 's3-copy');
}, 180_000);

async function startFunction(
  server: RunningS3,
  delivery: 's3-copy' | 'lazy',
  more: Readonly<Record<string, string>> = {},
): Promise<RunningFunction> {
  const scratch = join(folder, `tmp-${delivery}${Object.keys(more).length}`);
  await mkdir(scratch);
  return lambdaRie.start({
    folder: built,
    handler: 'handler.handler',
    environment: {
      AWS_LAMBDA_FUNCTION_NAME: 'src_lambda_node_loader',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '2048',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_ENDPOINT_URL_S3: server.endpoint,
      AWS_ACCESS_KEY_ID: server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
      AWS_REGION: 'us-east-1',
      TMPDIR: scratch,
      MODEL_SOURCE: `s3://models/${delivery}/tiny/current.json`,
      ...more,
    },
  });
}

beforeEach(async (context) => {
  await requireS3(context, s3);
  const reason = await lambdaRie.whyNot();
  if (reason === undefined) return;
  if (process.env.CI) throw new Error(`In CI this test must run: ${reason}`);
  context.skip(reason);
});

afterAll(async () => {
  await lambda?.stop();
  await s3?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('the Node.js handler under the runtime interface emulator', () => {
  it('loads at a cold init, answers a cold and a warm call, and logs what bench import reads', async () => {
    if (lambda === undefined) throw new Error('the function was not started');
    const cold = JSON.parse(await lambda.invoke({ calledAtMs: Date.now() }));
    const warm = JSON.parse(await lambda.invoke({ calledAtMs: Date.now() }));
    expect(cold).toMatchObject({
      cold: true,
      delivery: 's3-copy',
      threads: 1,
      memoryMiB: 2048,
      furtherInferences: 50,
    });
    expect(warm).toMatchObject({ cold: false, loadMs: 0 });
    expect(cold.loadMs).toBeGreaterThan(0);

    const log = join(folder, 'rie.txt');
    await writeFile(log, lambda.readLog());
    const lines = lambda.readLog().split('\n');
    expect(lines.filter((line) => line.includes('"optimise-model.cold-start"'))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('REPORT RequestId:'))).toHaveLength(2);

    const { rows, findings } = await importLambdaRuns({
      files: [log],
      functionName: null,
      skipIncomplete: false,
    });
    const [coldRow, warmRow] = rows;
    expect(rows).toMatchObject([
      {
        functionName: 'src_lambda_node_loader',
        state: 'cold',
        startMode: 'on-demand',
        memoryMiB: 2048,
        calls: 1,
      },
      {
        functionName: 'src_lambda_node_loader',
        state: 'warm',
        startMode: 'on-demand',
        memoryMiB: 2048,
        calls: 1,
      },
    ]);
    expect(coldRow?.metrics.loadModelMs?.median).toBeCloseTo(cold.loadMs, 2);
    expect(coldRow?.environmentMs?.median).toBeGreaterThan(0);
    expect(warmRow).toMatchObject({ environmentMs: null, metrics: { loadModelMs: { median: 0 } } });
    // Neither of the two figures that the emulator gets wrong.
    expect(rows).toMatchObject([
      { initMs: null, maxMemoryBytes: null },
      { initMs: null, maxMemoryBytes: null },
    ]);
    expect(findings.map((finding) => finding.code)).toContain('import-emulated');
  }, 120_000);

  it('loads a lazy model within its first call, and counts each part of that once', async () => {
    if (s3 === undefined) throw new Error('the store was not started');
    const lazy = await startFunction(s3, 'lazy');
    onTestFinished(() => lazy.stop());
    const cold = JSON.parse(await lazy.invoke({ calledAtMs: Date.now() }));
    const warm = JSON.parse(await lazy.invoke({ calledAtMs: Date.now() }));
    const logged = lazy
      .readLog()
      .split('\n')
      .flatMap((text) => /\{.*"optimise-model.cold-start".*/.exec(text)?.[0] ?? []);
    const { phases, threads } = JSON.parse(logged[0] ?? '');
    expect(cold).toMatchObject({ cold: true, delivery: 'lazy', threads: 1, variantId: expect.any(String) });
    expect(threads).toBe(1);
    expect(warm).toMatchObject({ cold: false, delivery: 'lazy', threads: 1, loadMs: 0 });
    // The library is loaded after the handler's entry, and before the load; the session is in the load, no inference is.
    const { startMs, runtimeMs, sessionMs } = phases;
    const beforeLoadMs = cold.loadStartedAtMs - cold.processStartedAtMs;
    // Two records were read from the store before the entry; half a millisecond is what the arithmetic on Unix times may lose.
    expect(beforeLoadMs).toBeGreaterThan(startMs + runtimeMs + 0.5);
    expect(cold.loadMs).toBeGreaterThanOrEqual(sessionMs);
  }, 120_000);

  it('opens what was made for OpenVINO, whose library a variable names', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    if (s3 === undefined) throw new Error('the store was not started');
    const artifact = await mkdtemp(join(folder, 'openvino-'));
    const record = await writeTinyArtifact(artifact, { engine: 'openvino', layout: 'ir' });
    const bucket = await openStore('s3://models/openvino');
    for (const name of await readdir(artifact))
      await bucket.write(name, await readFile(join(artifact, name)), undefined);
    const more = {
      OPENVINO_LIB_PATH: libraryPath,
      MODEL_SOURCE: 's3://models/openvino/artifact.json',
    };
    const started = await startFunction(s3, 's3-copy', more);
    onTestFinished(() => started.stop());
    const cold = JSON.parse(await started.invoke({ calledAtMs: Date.now() }));
    expect(cold).toMatchObject({ cold: true, delivery: 's3-copy', variantId: record.variant.id });
    expect(started.readLog()).toMatch(/"engine":"openvino","engineVersion":"\d{4}\.\d/);
  }, 120_000);

  it('is restored from a snapshot', (context) => {
    context.skip('the emulator has no /restore/next');
  });
});
