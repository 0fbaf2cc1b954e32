import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { quietContext } from '../../src/lib/work-context.js';
import { makeFinding } from '../../src/messages/finding.js';
import { type Pipeline, readPipeline } from '../../src/pipeline/read-pipeline.js';
import { readRunRecord } from '../../src/pipeline/run-record.js';
import { collectFindings, type RunSettings, runSteps } from '../../src/pipeline/run-steps.js';
import type { Step } from '../../src/pipeline/step.js';

const settings: RunSettings = {
  ...{ context: quietContext(), onStep: () => undefined, redo: [], versions: {} },
  recordAs: undefined,
};

let pipeline: Pipeline;
let calls: string[];

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'run-'));
  await writeFile(join(folder, 'p.yaml'), 'name: a\nmodel: m.onnx\n');
  pipeline = await readPipeline(join(folder, 'p.yaml'), {}, folder);
  calls = [];
});

function makeStep(subject: string, key = 'k', isIntact = true): Step<{ value: number }> {
  return {
    verb: 'convert',
    subject,
    key,
    ensures: async () => isIntact,
    call: async () => {
      calls.push(subject);
      return { output: { value: calls.length }, line: `did ${subject}`, findings: [], verdict: 'ok' };
    },
  };
}

const runBoth = (first: Step<{ value: number }>, second: Step<{ value: number }>, how = settings) =>
  runSteps(pipeline, how, async (runner) => {
    const outputs = [await runner.step(first), await runner.step(second)];
    return { outputs, reused: runner.reports().map((report) => report.reused) };
  });

describe('running steps', () => {
  it('reuses what is recorded under the same key and still intact', async () => {
    const first = await runBoth(makeStep('a'), makeStep('b'));
    const second = await runBoth(makeStep('a'), makeStep('b'));
    expect(first.reused).toEqual([false, false]);
    expect(second.reused).toEqual([true, true]);
    expect(second.outputs).toEqual(first.outputs);
    expect(calls).toEqual(['a', 'b']);
  });

  it('keeps what a run was asked when it is asked otherwise once, and its record when that fails', async () => {
    await runBoth(makeStep('a'), makeStep('b'));
    const asked = { ...pipeline, model: '/other.onnx' };
    const once = { ...settings, recordAs: pipeline };
    const before = await readRunRecord(pipeline.output);
    const failing = { ...makeStep('b', 'other'), call: () => Promise.reject(new Error('no')) };
    const failed = runSteps(asked, once, async (runner) => {
      await runner.step(makeStep('a', 'other'));
      await runner.step(failing);
    });
    await expect(failed).rejects.toThrow('no');
    expect(await readRunRecord(pipeline.output)).toEqual(before);
    await runSteps(asked, once, (runner) => runner.step(makeStep('b', 'other')));
    const after = await readRunRecord(pipeline.output);
    expect(after.pipeline.model).toBe(pipeline.model);
    expect(after.reached).toEqual([{ verb: 'convert', subject: 'b', reused: false }]);
  });

  it('takes over what a step that is still done has to say now', async () => {
    const step = makeStep('a');
    const finding = makeFinding('info', 'interrupted', { by: 'a test' });
    const said = {
      output: { value: 7 },
      line: 'still there, but',
      findings: [finding],
      verdict: 'partly' as const,
    };
    await runBoth(step, makeStep('b'));
    const { outputs, reused } = await runBoth({ ...step, ensures: async () => said }, makeStep('b'));
    expect(reused).toEqual([true, true]);
    expect(outputs[0]).toEqual({ value: 7 });
    expect(calls).toEqual(['a', 'b']);
    const recorded = (await readRunRecord(pipeline.output)).steps.find((item) => item.subject === 'a');
    expect(recorded).toMatchObject(said);
  });

  it('does only what changed', async () => {
    await runBoth(makeStep('a'), makeStep('b'));
    await runBoth(makeStep('a'), makeStep('b', 'other options'));
    expect(calls).toEqual(['a', 'b', 'b']);
  });

  it('does everything again when the runtime is another one', async () => {
    await runBoth(makeStep('a'), makeStep('b'));
    await runBoth(makeStep('a'), makeStep('b'), { ...settings, versions: { onnxruntime: '9.9.9' } });
    expect(calls).toEqual(['a', 'b', 'a', 'b']);
  });

  it('does again what is no longer intact, and what it is told to redo', async () => {
    await runBoth(makeStep('a'), makeStep('b'));
    await runBoth(makeStep('a', 'k', false), makeStep('b'));
    expect(calls).toEqual(['a', 'b', 'a']);
    await runBoth(makeStep('a'), makeStep('b'), { ...settings, redo: ['convert'] });
    expect(calls).toEqual(['a', 'b', 'a', 'a', 'b']);
  });

  it('loses only the step that was running when one fails', async () => {
    const failing = { ...makeStep('b'), call: () => Promise.reject(new Error('boom')) };
    await expect(runBoth(makeStep('a'), failing)).rejects.toThrow('boom');
    expect((await readRunRecord(pipeline.output)).steps.map((step) => step.subject)).toEqual(['a']);
    await runBoth(makeStep('a'), makeStep('b'));
    expect(calls).toEqual(['a', 'b']);
  });

  it('stops before the next step once it is interrupted', async () => {
    const controller = new AbortController();
    const context = { ...quietContext(), signal: controller.signal };
    const aborting: Step<{ value: number }> = {
      ...makeStep('a'),
      call: async () => {
        controller.abort(new Error('stop'));
        return { output: { value: 0 }, line: '', findings: [], verdict: 'ok' };
      },
    };
    await expect(runBoth(aborting, makeStep('b'), { ...settings, context })).rejects.toThrow('stop');
    expect(calls).toEqual([]);
  });

  it('hands its context to a step that looks whether it is still done', async () => {
    await runBoth(makeStep('a'), makeStep('b'));
    const seen: AbortSignal[] = [];
    const looking: Step<{ value: number }> = {
      ...makeStep('a'),
      ensures: async (_output, context) => Boolean(seen.push(context.signal)),
    };
    await runBoth(looking, makeStep('b'));
    expect(seen).toEqual([settings.context.signal]);
  });

  it('refuses a folder that a living process works in', async () => {
    await runSteps(pipeline, settings, async () => {
      const error = await runSteps(pipeline, settings, async () => undefined).catch((e) => e);
      expect(error).toMatchObject({ code: 'run-in-progress', exitCode: 3, facts: { pid: process.pid } });
    });
  });

  it('takes over the lock of a process that died', async () => {
    await runBoth(makeStep('a'), makeStep('b'));
    await writeFile(join(pipeline.output, 'run.lock'), '');
    expect((await runBoth(makeStep('a'), makeStep('b'))).reused).toEqual([true, true]);
  });

  it('runs in a copy of a project whose original is still there', async () => {
    await runBoth(makeStep('a'), makeStep('b'));
    const folder = await mkdtemp(join(tmpdir(), 'copy-'));
    await cp(pipeline.output, join(folder, 'artifacts', 'a'), { recursive: true });
    await writeFile(join(folder, 'p.yaml'), 'name: a\nmodel: m.onnx\n');
    pipeline = await readPipeline(join(folder, 'p.yaml'), {}, folder);
    expect((await runBoth(makeStep('a'), makeStep('b'))).reused).toEqual([true, true]);
  });

  it('refuses the run folder of another pipeline that is still there', async () => {
    await runBoth(makeStep('a'), makeStep('b'));
    const other = join(pipeline.path, '..', 'other.yaml');
    await writeFile(other, 'name: a\nmodel: m.onnx\n');
    const again = runSteps({ ...pipeline, path: other }, settings, async () => undefined);
    await expect(again).rejects.toMatchObject({ code: 'run-folder-taken', exitCode: 2 });
  });

  it.each(['{"kind":', '{}', '{"kind":"run","schemaVersion":1,"steps":[null],"reached":[]}'])(
    'puts a record that cannot be used aside, says so and does everything anew: %s',
    async (content) => {
      await runBoth(makeStep('a'), makeStep('b'));
      await writeFile(join(pipeline.output, 'run.json'), content);
      await expect(readRunRecord(pipeline.output)).rejects.toMatchObject({ code: 'run-record-unreadable' });
      const notes = await runSteps(pipeline, settings, async (runner) => {
        await runner.step(makeStep('a'));
        expect(runner.reports()[0]?.reused).toBe(false);
        return runner.notes;
      });
      expect(notes).toMatchObject([{ code: 'run-record-set-aside', severity: 'warning' }]);
      expect(await readFile(join(pipeline.output, 'run.json.unusable'), 'utf8')).toBe(content);
    },
  );

  it('shows nothing from a record that other code wrote', async () => {
    await runBoth(makeStep('a'), makeStep('b'));
    const path = join(pipeline.output, 'run.json');
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), code: 'other' }));
    await expect(readRunRecord(pipeline.output)).rejects.toMatchObject({ code: 'run-record-unreadable' });
  });
});

describe('collecting findings', () => {
  it('says each finding once', () => {
    const finding = makeFinding('info', 'usage-wrong', { problem: 'x', command: 'y' });
    const report = {
      verb: 'convert',
      subject: '',
      line: '',
      findings: [finding, finding],
      verdict: 'ok' as const,
      durationMs: 0,
      finishedAt: '',
      reused: false,
    };
    expect(collectFindings([report, report])).toEqual([finding]);
  });
});
