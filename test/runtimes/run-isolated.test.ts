import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Tensor } from '../../src/lib/tensor.js';
import { quietContext } from '../../src/lib/work-context.js';
import { runIsolated } from '../../src/runtimes/run-isolated.js';
import { encodeModel, floatTensor, node, value } from '../fixtures/tiny-onnx.js';

const pair: Tensor = { type: 'float32', dims: [2], data: Float32Array.of(10, 20) };
const engine = 'onnxruntime';
const threads = 1;

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
    const run = await runIsolated({ engine, modelPath, feeds: { x: pair }, threads });
    expect(run.outputs).toEqual({ y: { type: 'float32', dims: [2], data: Float32Array.of(11, 21) } });
    expect(run.outputSpecs.map(({ name }) => name)).toEqual(['y']);
    expect(run.skipped).toEqual([]);
    expect(run.runtimeVersion).toMatch(/^1\./);
    const loaded = process.report.getReport() as unknown as { sharedObjects: string[] };
    expect(loaded.sharedObjects.filter((path) => path.includes('onnxruntime'))).toEqual([]);
  });

  it('lists outputs that are no tensors instead of asking for them', async () => {
    const sequence = { name: 's', type: { sequenceType: { elemType: { tensorType: { elemType: 1 } } } } };
    const nodes = [...graph.node, node('SequenceConstruct', ['x', 'x'], ['s'])];
    const both = await save(
      'both.onnx',
      encodeModel({ ...graph, node: nodes, output: [...graph.output, sequence] }),
    );
    const some = await runIsolated({ engine, modelPath: both, feeds: { x: pair }, threads });
    expect([Object.keys(some.outputs), some.skipped]).toEqual([['y'], ['s']]);
    const only = await save('only.onnx', encodeModel({ ...graph, node: nodes, output: [sequence] }));
    const none = await runIsolated({ engine, modelPath: only, feeds: { x: pair }, threads });
    expect([none.outputs, none.skipped]).toEqual([{}, ['s']]);
  });

  it('brings errors of the child back with code, facts and cause', async () => {
    const modelPath = await save('again.onnx', encodeModel(graph));
    const failure = runIsolated({ engine, modelPath, feeds: {}, threads });
    await expect(failure).rejects.toMatchObject({
      name: 'OptimiseModelError',
      code: 'feed-wrong',
      facts: { model: modelPath, problems: [{ input: 'x', problem: 'is missing' }] },
    });
    const missing = join(folder, 'missing.onnx');
    const refusal = runIsolated({ engine, modelPath: missing, feeds: {}, threads });
    await expect(refusal).rejects.toMatchObject({ code: 'runtime-refused-model', facts: { model: missing } });
  });

  it('says by which signal a crashed process ended', async () => {
    // A model whose tensor would need far more memory than the process may have makes the engine fail or die; a
    // process that is killed from outside is the same to the parent and can be had without exhausting the machine.
    const modelPath = await save('slow.onnx', encodeModel(slowGraph()));
    const run = runIsolated({ engine, modelPath, feeds: { x: pair }, threads });
    await killChildren('SIGSEGV');
    await expect(run).rejects.toMatchObject({
      code: 'runtime-crashed',
      exitCode: 3,
      facts: { signal: 'SIGSEGV' },
    });
  });

  it('kills the process and gives the reason when it is cancelled', async () => {
    const modelPath = await save('slow.onnx', encodeModel(slowGraph()));
    const controller = new AbortController();
    const reason = new Error('enough');
    const run = runIsolated(
      { engine, modelPath, feeds: { x: pair }, threads },
      { ...quietContext(), signal: controller.signal },
    );
    setTimeout(() => controller.abort(reason), 300);
    const startedAt = performance.now();
    await expect(run).rejects.toBe(reason);
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(await listChildren()).toEqual([]);
  });
});

/** Keeps one thread busy for minutes: a loop of matrix products. */
function slowGraph() {
  const size = 512;
  const big = floatTensor('k', [size, size], new Array(size * size).fill(1 / size));
  const body = {
    name: 'body',
    input: [value('i', 'int64', []), value('c', 'bool', []), value('a', 'float32', [size, size])],
    output: [value('c2', 'bool', []), value('a2', 'float32', [size, size])],
    node: [node('Identity', ['c'], ['c2']), node('MatMul', ['a', 'k'], ['a2'])],
  };
  return {
    input: [value('x', 'float32', ['n'])],
    output: [value('y', 'float32', [size, size])],
    initializer: [
      big,
      { name: 'm', dataType: 7, dims: [], int64Data: [1_000_000] },
      { name: 'go', dataType: 9, dims: [], int32Data: [1] },
    ],
    node: [node('Loop', ['m', 'go', 'k'], ['y'], [{ name: 'body', type: 5, g: body }])],
  };
}

async function listChildren(): Promise<number[]> {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

async function killChildren(signal: NodeJS.Signals): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (const pid of await listChildren()) process.kill(pid, signal);
}
