import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import type { NamedTensors } from '../../src/lib/tensor.js';
import { readTensorFile } from '../../src/onnx/read-tensor.js';
import { importRuntime } from '../../src/runtimes/import-runtime.js';
import { compareOutput } from '../../src/validate/compare-output.js';

/**
 * A folder with `micro/NAME/model.onnx, input_N.pb` and `onnx-node.tgz` of the same form (the ONNX project's operator
 * tests, which the Python package `onnx` carries); too large to be kept here.
 */
const casesFolder = process.env.OPTIMISE_MODEL_CASES;
const bounds = { rtol: 2e-2, atol: 2e-2 };

/** Cases that load and run, but whose numbers do not fit into an FP16 graph. */
const beyondHalf = [
  // The input is 1e5, FP16 ends at 65504.
  'blocked_output_is_graph_output',
  // The mask is FLT_MIN's negative, which the output shows; FP16 shows -65504.
  'test_attention_4d_with_past_and_present_qk_matmul_bias_3d_mask_causal',
  'test_attention_4d_with_past_and_present_qk_matmul_bias_4d_mask_causal',
];

async function listCases(name: 'micro' | 'onnx-node', folder: string): Promise<readonly string[]> {
  const root = name === 'micro' ? join(folder, name) : await unpack(join(folder, `${name}.tgz`));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('model.onnx'))
    .map((path) => join(root, path, '..'))
    .sort();
}

async function unpack(archive: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cases-'));
  execFileSync('tar', ['xzf', archive, '-C', folder]);
  return folder;
}

async function runModel(path: string, folder: string): Promise<NamedTensors> {
  const runtime = await importRuntime('onnxruntime');
  const session = await runtime.openSession({ path }, { threads: 1 });
  try {
    const feeds: Record<string, NamedTensors[string]> = {};
    for (const [index, input] of session.inputs.entries()) {
      const file = join(folder, `input_${index}.pb`);
      if (existsSync(file)) feeds[input.name] = await readTensorFile(file);
    }
    return await session.run(feeds);
  } finally {
    await session.close();
  }
}

/** Why a case is not right after conversion; undefined when it is. A reference that does not run itself counts as right. */
async function findFault(folder: string, precision: 'fp16-weights' | 'fp16'): Promise<string | undefined> {
  const model = join(folder, 'model.onnx');
  const reference = await runModel(model, folder).catch(() => undefined);
  const out = join(await mkdtemp(join(tmpdir(), 'case-')), 'model.onnx');
  try {
    await convertModel({ model, precision, layout: 'single', engine: 'onnxruntime', out, minWeightBytes: 0 });
    if (reference === undefined) return undefined;
    const candidate = await runModel(out, folder);
    const faults = Object.entries(reference)
      .map(([name, tensor]) => compareOutput(name, tensor, candidate[name], bounds))
      .filter((output) => output.status === 'outside');
    return faults.length === 0
      ? undefined
      : faults.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
  } catch (error) {
    return (error as Error).message;
  } finally {
    await rm(join(out, '..'), { recursive: true, force: true });
  }
}

const wanted = (['micro', 'onnx-node'] as const).flatMap((name) =>
  (['fp16-weights', 'fp16'] as const).map((precision) => ({ name, precision })),
);

describe('known cases', () => {
  for (const { name, precision } of wanted) {
    it(`of ${name} convert to ${precision}, load and give the same numbers`, async (context) => {
      if (casesFolder === undefined) return context.skip('OPTIMISE_MODEL_CASES names no folder of cases');
      const faults: Record<string, string> = {};
      const cases = await listCases(name, casesFolder);
      expect(cases.length).toBeGreaterThan(50);
      for (const folder of cases) {
        const fault = await findFault(folder, precision);
        if (fault !== undefined) faults[basename(folder)] = fault;
      }
      const known = precision === 'fp16' ? beyondHalf : [];
      expect(Object.entries(faults).filter(([folder]) => !known.includes(folder))).toEqual([]);
    }, 600_000);
  }
});
