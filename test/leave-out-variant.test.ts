import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConvertResult } from '../src/convert/convert-options.js';
import {
  allowLeavingOut,
  type ConversionOutput,
  explainLeftOut,
  isReasonToLeaveOut,
  refuseNothingLeft,
} from '../src/leave-out-variant.js';
import { quietContext } from '../src/lib/work-context.js';
import type { OpenvinoHere } from '../src/look-for-openvino.js';
import { OptimiseModelError } from '../src/messages/error.js';
import { readPipeline } from '../src/pipeline/read-pipeline.js';
import { runSteps, type StepReport } from '../src/pipeline/run-steps.js';
import type { Step } from '../src/pipeline/step.js';

const variantId = 'fp32.openvino.ir';
const platform = 'linux/x64';
const missing = OptimiseModelError.of('runtime-missing', {
  ...{ engine: 'openvino', packageName: 'openvino', platform, reason: 'it is nowhere' },
});
const made = { variant: { id: variantId } } as unknown as ConvertResult;

/** A conversion that gives what is asked of it, and counts how often it was tried. */
function makeConversion(outcome: () => ConvertResult): { step: Step<ConvertResult>; tries: () => number } {
  let count = 0;
  const call = async () => {
    count += 1;
    return { output: outcome(), line: 'made', findings: [], verdict: 'ok' as const };
  };
  const step = { verb: 'convert', subject: variantId, key: 1, ensures: async () => true, call };
  return { step, tries: () => count };
}

const refuse = (error: Error) => () => {
  throw error;
};

describe('a conversion that may be left out', () => {
  async function makeRun() {
    const folder = await mkdtemp(join(tmpdir(), 'left-out-'));
    await writeFile(join(folder, 'p.yaml'), 'name: a\nmodel: m.onnx\n');
    const pipeline = await readPipeline(join(folder, 'p.yaml'), {}, folder);
    const settings = { context: quietContext(), onStep: () => undefined, redo: [], recordAs: undefined };
    return (step: Step<ConvertResult>, engine: Pick<OpenvinoHere, 'version' | 'missing'>, isNeeded = false) =>
      runSteps(pipeline, { ...settings, versions: {} }, async (runner) => {
        const output: ConversionOutput = await runner.step(allowLeavingOut(step, engine, isNeeded));
        return { output, report: runner.reports()[0] as StepReport };
      });
  }

  it('is left out without being tried where there is no OpenVINO, and made once there is', async () => {
    const run = await makeRun();
    const { step, tries } = makeConversion(() => made);
    const first = await run(step, { version: null, missing });
    expect(tries()).toBe(0);
    expect(first).toMatchObject({
      output: { leftOut: { variantId, code: 'runtime-missing', reason: missing.message } },
      report: { verdict: 'no', line: 'left out: OpenVINO cannot be used here', findings: [] },
    });
    const again = await run(step, { version: null, missing });
    expect(again.report.reused).toBe(false);
    const installed = await run(step, { version: '2026.4.1', missing: null });
    expect(installed).toMatchObject({ output: made, report: { verdict: 'ok', reused: false } });
    expect(await run(step, { version: '2026.4.1', missing: null })).toMatchObject({
      report: { reused: true },
    });
    expect(tries()).toBe(1);
  });

  it('is made again by another version of OpenVINO', async () => {
    const run = await makeRun();
    const { step, tries } = makeConversion(() => made);
    for (const version of ['2026.4.1', '2026.4.1', '2027.0.0']) await run(step, { version, missing: null });
    expect(tries()).toBe(2);
  });

  it('is left out when OpenVINO dies of it, and tried again; what it refused it is not asked again', async () => {
    const died = { engine: 'openvino', model: 'm.xml', signal: 'SIGSEGV', exitCode: null, lastWords: '' };
    const refused = {
      path: 'm.onnx',
      reason: 'it has no Inverse',
      operators: ['Inverse'],
      isOptimised: false,
    };
    const errors: readonly [OptimiseModelError, number][] = [
      [OptimiseModelError.of('runtime-crashed', died), 2],
      [OptimiseModelError.of('openvino-refused-model', refused), 1],
    ];
    for (const [error, expected] of errors) {
      const run = await makeRun();
      const { step, tries } = makeConversion(refuse(error));
      for (const _time of [1, 2]) {
        const { output } = await run(step, { version: '2026.4.1', missing: null });
        expect(output).toMatchObject({ leftOut: { variantId, code: error.code, reason: error.message } });
      }
      expect(tries()).toBe(expected);
    }
  });

  it('is not left out because of this machine where the run has made it before', async () => {
    const run = await makeRun();
    const late = OptimiseModelError.of('ovc-failed', { reason: 'it was killed' });
    const { step } = makeConversion(refuse(late));
    await expect(run(step, { version: '2026.4.1', missing: null }, true)).rejects.toBe(late);
    await expect(run(step, { version: null, missing }, true)).rejects.toBe(missing);
    const path = { path: 'm.onnx', reason: 'it has no Inverse', operators: [], isOptimised: false };
    const refused = makeConversion(refuse(OptimiseModelError.of('openvino-refused-model', path)));
    const { output } = await run(refused.step, { version: '2026.4.1', missing: null }, true);
    expect(output).toMatchObject({ leftOut: { code: 'openvino-refused-model' } });
  });

  it('is no way around what is wrong with the model or the disk', async () => {
    const run = await makeRun();
    const wrong = OptimiseModelError.of('output-refused', { out: 'o', reason: 'it is a file' });
    const { step } = makeConversion(refuse(wrong));
    await expect(run(step, { version: '2026.4.1', missing: null })).rejects.toBe(wrong);
    expect(isReasonToLeaveOut(wrong)).toBe(false);
    expect(isReasonToLeaveOut(new Error('runtime-missing'))).toBe(false);
  });
});

it('says the one command once for all variants of a reason', () => {
  const { code, facts, message: reason, remedy } = missing;
  const leftOut = ['fp32.openvino.ir', 'fp32.openvino.blob'].map((id) => ({
    ...{ variantId: id, code, facts, reason, remedy },
  }));
  const other = { variantId: 'fp16-weights.openvino.ir', code, facts, reason: 'another', remedy: 'other' };
  expect(explainLeftOut([...leftOut, other])).toMatchObject([
    {
      ...{ code: 'variants-left-out', severity: 'warning' },
      facts: { variants: ['fp32.openvino.ir', 'fp32.openvino.blob'], code: 'runtime-missing' },
      remedy: expect.stringContaining('pip install openvino'),
    },
    { facts: { variants: ['fp16-weights.openvino.ir'] } },
  ]);
  expect(explainLeftOut([])).toEqual([]);
  const [first] = leftOut;
  expect(first && refuseNothingLeft(first)).toMatchObject({ code, facts, message: reason, exitCode: 3 });
});
