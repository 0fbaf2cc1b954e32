import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Tensor } from '../../src/lib/tensor.js';
import { quietContext } from '../../src/lib/work-context.js';
import { runIsolated } from '../../src/runtimes/run-isolated.js';
import { findChildOfTest } from '../fixtures/child-of-test.js';
import { awaitIsolatedChild, isolatedProgram, slowGraph } from '../fixtures/isolated-child.js';
import { encodeModel, floatTensor, node, value } from '../fixtures/tiny-onnx.js';

const pair: Tensor = { type: 'float32', dims: [2], data: Float32Array.of(10, 20) };
const engine = 'onnxruntime';
const plain = { engine, threads: 1, inference: 'f32', names: null } as const;
const timeoutMs = 60_000;

describe('runIsolated', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'isolated-'));
  });

  async function save(name: string, bytes: Uint8Array): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  }

  const graph = {
    input: [value('x', 'float32', ['n'])],
    output: [value('y', 'float32', ['n'])],
    initializer: [floatTensor('w', [1], [1])],
    node: [node('Add', ['x', 'w'], ['y'])],
  };

  it('brings back outputs, specs and version without loading the engine here', async () => {
    const modelPath = await save('add.onnx', encodeModel(graph));
    const run = await runIsolated({ ...plain, modelPath, feeds: { x: pair }, timeoutMs });
    expect(run.outputs).toEqual({ y: { type: 'float32', dims: [2], data: Float32Array.of(11, 21) } });
    expect(run.outputSpecs.map(({ name }) => name)).toEqual(['y']);
    expect(run.skipped).toEqual([]);
    expect(run.runtimeVersion).toMatch(/^1\./);
    const loaded = process.report.getReport() as unknown as { sharedObjects: string[] };
    expect(loaded.sharedObjects.filter((path) => path.includes('onnxruntime'))).toEqual([]);
  });

  it('leaves nothing of the engine in the temporary folder', async () => {
    const modelPath = await save('litter.onnx', encodeModel(graph));
    const temporary = await mkdtemp(join(tmpdir(), 'litter-'));
    vi.stubEnv('TMPDIR', temporary);
    try {
      await runIsolated({ ...plain, modelPath, feeds: { x: pair }, timeoutMs });
    } finally {
      vi.unstubAllEnvs();
    }
    expect(await readdir(temporary)).toEqual([]);
  });

  it('takes an input of any name, and lists an output that JavaScript cannot be given', async () => {
    const name = '__proto__';
    const named = {
      ...graph,
      input: [value(name, 'float32', ['n'])],
      node: [node('Add', [name, 'w'], ['y'])],
    };
    const fed = await save('proto-input.onnx', encodeModel(named));
    const feeds = Object.fromEntries([[name, pair]]);
    const { outputs } = await runIsolated({ ...plain, modelPath: fed, feeds, timeoutMs });
    expect(outputs.y?.data).toEqual(Float32Array.of(11, 21));
    const given = {
      ...graph,
      output: [value(name, 'float32', ['n'])],
      node: [node('Add', ['x', 'w'], [name])],
    };
    const modelPath = await save('proto-output.onnx', encodeModel(given));
    const run = await runIsolated({ ...plain, modelPath, feeds: { x: pair }, timeoutMs });
    expect(run).toMatchObject({ outputs: {}, skipped: [name] });
  });

  it('lists outputs that are no tensors instead of asking for them', async () => {
    const sequence = { name: 's', type: { sequenceType: { elemType: { tensorType: { elemType: 1 } } } } };
    const nodes = [...graph.node, node('SequenceConstruct', ['x', 'x'], ['s'])];
    const both = await save(
      'both.onnx',
      encodeModel({ ...graph, node: nodes, output: [...graph.output, sequence] }),
    );
    const some = await runIsolated({ ...plain, modelPath: both, feeds: { x: pair }, timeoutMs });
    expect([Object.keys(some.outputs), some.skipped]).toEqual([['y'], ['s']]);
    const only = await save('only.onnx', encodeModel({ ...graph, node: nodes, output: [sequence] }));
    const none = await runIsolated({ ...plain, modelPath: only, feeds: { x: pair }, timeoutMs });
    expect([none.outputs, none.skipped]).toEqual([{}, ['s']]);
  });

  it('brings errors of the child back with code, facts and cause', async () => {
    const modelPath = await save('again.onnx', encodeModel(graph));
    const failure = runIsolated({ ...plain, modelPath, feeds: {}, timeoutMs });
    await expect(failure).rejects.toMatchObject({
      name: 'OptimiseModelError',
      code: 'feed-wrong',
      facts: { model: modelPath, problems: [{ input: 'x', problem: 'is missing' }] },
    });
    const missing = join(folder, 'missing.onnx');
    const refusal = runIsolated({ ...plain, modelPath: missing, feeds: {}, timeoutMs });
    await expect(refusal).rejects.toMatchObject({ code: 'runtime-refused-model', facts: { model: missing } });
  });

  it('says by which signal a crashed process ended', async () => {
    // A process that is killed from outside is the same to the parent as one that dies of the model.
    const modelPath = await save('slow.onnx', encodeModel(slowGraph(['n'])));
    const run = runIsolated({ ...plain, modelPath, feeds: { x: pair }, timeoutMs });
    process.kill(await awaitIsolatedChild(), 'SIGSEGV');
    await expect(run).rejects.toMatchObject({
      code: 'runtime-crashed',
      exitCode: 3,
      facts: { signal: 'SIGSEGV' },
    });
  });

  it('ends a run that takes longer than it may', async () => {
    const modelPath = await save('slow.onnx', encodeModel(slowGraph(['n'])));
    const run = runIsolated({ ...plain, modelPath, feeds: { x: pair }, timeoutMs: 1000 });
    await expect(run).rejects.toMatchObject({
      code: 'runtime-late',
      exitCode: 3,
      facts: { model: modelPath, timeoutMs: 1000 },
    });
    expect(await findChildOfTest(isolatedProgram)).toBeUndefined();
  });

  it('kills the process and gives the reason when it is cancelled', async () => {
    const modelPath = await save('slow.onnx', encodeModel(slowGraph(['n'])));
    const controller = new AbortController();
    const reason = new Error('enough');
    const run = runIsolated(
      { ...plain, modelPath, feeds: { x: pair }, timeoutMs },
      { ...quietContext(), signal: controller.signal },
    );
    await awaitIsolatedChild();
    controller.abort(reason);
    await expect(run).rejects.toBe(reason);
    expect(await findChildOfTest(isolatedProgram)).toBeUndefined();
  });
});
