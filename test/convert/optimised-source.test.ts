import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import type { ConvertResult } from '../../src/convert/convert-options.js';
import { listOptimiserOperators } from '../../src/convert/optimised-source.js';
import { readModel } from '../../src/onnx/read-model.js';
import { type OptimisedTarget, saveOptimised } from '../../src/runtimes/save-optimised.js';
import { encode, graph, model, node, ramp, value } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { layouts } from '../fixtures/onnx-layouts.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
const channels = 32;
let folder = '';
let original = '';

/** Two convolutions, for which onnxruntime has a layout of its own on x64, and a transposed one, which it packs. */
const content = model(
  graph({
    inputs: [value('x', [1, channels, 8, 8])],
    outputs: [value('y', [1, channels, 8, 8])],
    nodes: [
      node('Conv', ['x', 'v'], ['a'], { kernel_shape: [1, 1] }),
      node('Conv', ['a', 'w'], ['b'], { kernel_shape: [1, 1] }),
      node('ConvTranspose', ['b', 'u'], ['y'], { kernel_shape: [1, 1] }),
    ],
    initializers: ['v', 'w', 'u'].map((name) => ramp(name, [channels, channels, 1, 1])),
  }),
);

beforeEach(async () => {
  folder = await tempFolder();
  original = join(folder, 'original.onnx');
  await writeFile(original, encode(content));
});

async function save(more: Partial<OptimisedTarget> = {}): Promise<string> {
  const path = join(folder, 'saved.onnx');
  const target = { path, dataFileName: 'saved.data', optimisation: 'all', isPrepacked: false } as const;
  await saveOptimised(original, { ...target, ...more });
  return path;
}

function convert(
  path: string,
  more: Partial<Parameters<typeof completeOptions>[0]> = {},
): Promise<ConvertResult> {
  const out = join(folder, 'artifact');
  return convertModel(completeOptions({ model: path, out, precision: 'fp32', ...more }));
}

function codesOf({ findings }: ConvertResult): readonly string[] {
  return findings.map(({ code }) => code);
}

describe.skipIf(process.arch !== 'x64')(
  'a model that onnxruntime has saved in the layout of this processor',
  () => {
    it.each(layouts)('gives artifacts that are bound to such processors, and say so: %s', async (layout) => {
      const result = await convert(await save(), { layout });
      expect(result.record?.requires.boundTo).toEqual({
        ...{ kind: 'layout-optimised-graph', engineVersion: null, instructionSets: [] },
      });
      expect(result.findings.find(({ code }) => code === 'artifact-bound')?.severity).toBe('warning');
    });

    it('is none for OpenVINO, in any layout, whether that is installed or not', async () => {
      const path = await save();
      for (const layout of ['ir', 'blob', ...layouts] as const) {
        const error = await catchError(() => convert(path, { engine: 'openvino', layout }));
        expect(error).toMatchObject({
          ...{ code: 'openvino-refused-model', exitCode: 2 },
          facts: { isOptimised: true, operators: expect.arrayContaining(['com.microsoft.nchwc:Conv']) },
        });
        expect(error.remedy).toContain('as it was exported');
      }
      expect((await readdir(folder)).sort()).toEqual(['original.onnx', 'saved.data', 'saved.onnx']);
    });
  },
);

it('what an exporter wrote, and what onnxruntime saved with operators of ONNX alone, is bound to nothing', async () => {
  for (const path of [original, await save({ optimisation: 'basic' })]) {
    const result = await convert(path, { out: join(folder, `of-${basename(path)}`, 'artifact') });
    expect(result.record?.requires.boundTo).toBeNull();
    expect(codesOf(result)).toEqual([]);
  }
});

it('weights as kernels pack them are left out, which is said', async () => {
  const result = await convert(await save({ optimisation: 'basic', isPrepacked: true }), {
    layout: 'external',
  });
  expect(codesOf(result)).toContain('prepacked-left-out');
  const { model: written } = await readModel(join(folder, 'artifact/model.onnx'));
  const keys = (written.graph?.initializer ?? []).flatMap(({ externalData }) => externalData ?? []);
  expect(keys.filter(({ key }) => key?.startsWith('prepacked_'))).toEqual([]);
});

it('operators that exporters write for onnxruntime are no sign of its optimiser', async () => {
  const main = graph({
    nodes: [
      node('Gelu', ['x'], ['a'], {}, 'com.microsoft'),
      node('FusedGemm', ['a'], ['b'], {}, 'com.example'),
      node('QuickGelu', ['b'], ['c'], {}, 'com.microsoft'),
    ],
  });
  await writeFile(original, encode(model(main)));
  expect(listOptimiserOperators((await readModel(original)).model)).toEqual(['com.microsoft:QuickGelu']);
});
