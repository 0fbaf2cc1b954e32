import { execFile, execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { encode, graph, model, node, ramp, value } from '../fixtures/build-model.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

/**
 * A folder with `micro/NAME/model.onnx, input_N.pb` and `onnx-node.tgz` of the same form (the ONNX project's operator
 * tests, which the Python package `onnx` carries); too large to be kept here.
 */
const casesFolder = process.env.OPTIMISE_MODEL_CASES;
const conformance = fileURLToPath(new URL('../conformance/conformance.mjs', import.meta.url));
const tempFolder = useTempFolder();

type Summary = {
  readonly precision: string;
  readonly cases: number;
  readonly right: number;
  readonly wrong: number;
  readonly notRun: number;
  readonly expected: number;
  readonly found: number;
  readonly share: number | null;
};

type Judgement = {
  readonly name: string;
  readonly precision: string;
  readonly status: string;
  readonly reasons: readonly string[];
};

type Run = {
  readonly exitCode: number;
  readonly precisions: readonly Summary[];
  readonly fallen: readonly string[];
  readonly wrong: readonly Judgement[];
};

/** Runs what `npm run conformance` runs after its build. */
async function runConformance(folder: string, ...flags: readonly string[]): Promise<Run> {
  const args = [conformance, folder, '--json', '--out', join(await tempFolder(), 'record'), ...flags];
  const { exitCode, stdout, stderr } = await new Promise<{
    exitCode: number;
    stdout: string;
    stderr: string;
  }>((resolve) => {
    const child = execFile(process.execPath, args, { maxBuffer: 1 << 27 }, (_error, out, err) =>
      resolve({ exitCode: child.exitCode ?? -1, stdout: out, stderr: err }),
    );
  });
  expect(stdout, stderr).not.toBe('');
  const { precisions, fallen, judgements } = JSON.parse(stdout) as Run & { judgements: readonly Judgement[] };
  return { exitCode, precisions, fallen, wrong: judgements.filter(({ status }) => status === 'wrong') };
}

async function findFolder(name: string, folder: string): Promise<string> {
  if (name === 'micro') return join(folder, name);
  const unpacked = await tempFolder();
  execFileSync('tar', ['xzf', join(folder, `${name}.tgz`), '-C', unpacked]);
  return join(unpacked, name);
}

describe('known cases', () => {
  for (const [name, count] of [
    ['micro', 61],
    ['onnx-node', 850],
  ] as const) {
    it(`of ${name} give the same numbers, and are converted as far as they were before`, async (context) => {
      if (casesFolder === undefined) return context.skip('OPTIMISE_MODEL_CASES names no folder of cases');
      const counts = fileURLToPath(new URL(`counts/${name}.json`, import.meta.url));
      const folder = await findFolder(name, casesFolder);
      const run = await runConformance(folder, '--counts', counts);
      expect(run.wrong).toEqual([]);
      expect(run.fallen).toEqual([]);
      for (const { cases, right, share } of run.precisions) {
        expect([cases, right]).toEqual([count, count]);
        expect(share).toBeGreaterThanOrEqual(0.98);
      }
      expect(run.exitCode).toBe(0);
    }, 600_000);
  }
});

describe('a conformance run', () => {
  async function writeCase(): Promise<string> {
    const folder = await tempFolder();
    const nodes = [node('MatMul', ['x', 'w'], ['a']), node('Relu', ['a'], ['y'])];
    const parts = { nodes, inputs: [value('x', [2, 4])], outputs: [value('y', [2, 4])] };
    const bytes = encode(model(graph({ ...parts, initializers: [ramp('w', [4, 4])] })));
    await mkdir(join(folder, 'deep', 'case'), { recursive: true });
    await writeFile(join(folder, 'deep', 'case', 'model.onnx'), bytes);
    return folder;
  }

  it('counts what was converted: the weight, and both nodes', async () => {
    const { exitCode, precisions } = await runConformance(await writeCase());
    expect(precisions.map(({ expected, found }) => [expected, found])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(exitCode).toBe(0);
  });

  it('fails a converter that copies the file', async () => {
    const { exitCode, precisions, wrong } = await runConformance(
      await writeCase(),
      '--converter',
      'cp {model} {out}',
    );
    expect(wrong).toEqual([]);
    expect(precisions.map(({ expected, found, share }) => [expected, found, share])).toEqual([
      [1, 0, 0],
      [2, 0, 0],
    ]);
    expect(exitCode).toBe(1);
  });

  it('fails a converter that writes nothing, and says so of each case', async () => {
    const { exitCode, wrong } = await runConformance(await writeCase(), '--converter', 'true');
    expect(wrong.map(({ precision }) => precision)).toEqual(['fp16-weights', 'fp16']);
    expect(exitCode).toBe(1);
  });

  it('fails when less is converted than was recorded', async () => {
    const counts = join(await tempFolder(), 'counts.json');
    await writeFile(counts, JSON.stringify({ 'deep/case': 'weights 1/1, nodes 3/3' }));
    const { exitCode, fallen } = await runConformance(await writeCase(), '--counts', counts);
    expect(fallen).toHaveLength(1);
    expect(exitCode).toBe(1);
  });
});
