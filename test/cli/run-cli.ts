import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach } from 'vitest';
import { encode, graph, model, node, ramp, value } from '../fixtures/build-model.js';

/** What a command came to. */
export type CliResult = {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** The built command. */
const bin = resolve(import.meta.dirname, '../../dist/bin.js');

const running = new Set<ChildProcess>();

// What a test that took too long has left running would hold the run folder of the next one.
afterEach(async () => {
  for (const child of running) child.kill();
  await Promise.all([...running].map((child) => new Promise((settle) => child.once('close', settle))));
});

/** Starts the command as a user would, without what the test runner puts into the environment. */
export function startCli(args: readonly string[], folder: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const { PATH, HOME, TMPDIR, OPTIMISE_MODEL_STATE } = process.env;
  const own = { PATH, HOME, TMPDIR, OPTIMISE_MODEL_STATE, ...env };
  const clean = Object.fromEntries(Object.entries(own).filter(([, text]) => text));
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder, env: clean });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** Runs the command to its end. */
export async function runCli(
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv = {},
): Promise<CliResult> {
  return awaitCli(startCli(args, folder, env));
}

/** Waits for a started command. */
export function awaitCli(child: ChildProcess): Promise<CliResult> {
  return new Promise((settle, fail) => {
    const texts = { stdout: '', stderr: '' };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      texts.stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      texts.stderr += text;
    });
    child.once('error', fail);
    child.once('close', (exitCode) => settle({ exitCode, ...texts }));
  });
}

/** A folder with a small perceptron `model.onnx` (64 KiB of weights) and `pipelines/tiny.yaml`. */
export async function makeProject(pipeline: string = tinyPipeline): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  await writeFile(join(folder, 'model.onnx'), encode(makePerceptron()));
  await mkdir(join(folder, 'pipelines'));
  await writeFile(join(folder, 'pipelines', 'tiny.yaml'), pipeline);
  return folder;
}

/** Two variants by two deliveries, one sample each; the least that a whole run can be: no link that is measured first. */
export const tinyPipeline = makePipeline('deliveries: [s3-copy, stream], link: real, cache: warm');

/** Both variants by the one delivery that needs no samples of a floor besides. */
export const streamPipeline = tinyPipeline.replace('[s3-copy, stream]', '[stream]');

/** One variant alone, by the same two deliveries. */
export const oneVariant = tinyPipeline.replace('  - { precision: fp16-weights, layout: external }\n', '');

/** The same over a simulated link, each sample with a cold start. */
export const linkedPipeline = makePipeline('deliveries: [stream], link: { latencyMs: 1, mbPerSecond: 200 }');

function makePipeline(bench: string): string {
  return `name: tiny
model: ../model.onnx
variants:
  - { precision: fp32 }
  - { precision: fp16-weights, layout: external }
bench: { runs: 1, warm: 2, ${bench} }
publish: { to: current }
`;
}

function makePerceptron() {
  return model(
    graph({
      nodes: [
        node('MatMul', ['x', 'w1'], ['h']),
        node('Relu', ['h'], ['a']),
        node('MatMul', ['a', 'w2'], ['y']),
      ],
      initializers: [ramp('w1', [64, 128]), ramp('w2', [128, 64])],
      inputs: [value('x', [1, 64])],
      outputs: [value('y', [1, 64])],
    }),
  );
}
