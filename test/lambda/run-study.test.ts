import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const runStudy = resolve(import.meta.dirname, '../../pipelines/lambda/run-study.mjs');
let folder = '';

/** Answers as the AWS CLI does, and notes what it was asked. */
const fakeAws = `#!/usr/bin/env node
const { appendFileSync } = require('node:fs');
const words = process.argv.slice(2);
appendFileSync(process.env.NOTES, JSON.stringify(words) + '\\n');
const answers = {
  'lambda get-function-configuration': { Environment: { Variables: { MODEL_BUCKET: 'b', COLD_START_TOKEN: '0' } } },
  'lambda update-function-configuration': {},
  'lambda publish-version': { Version: '7' },
  'lambda update-alias': {},
  'lambda invoke': { StatusCode: 200 },
  'logs filter-log-events': { events: [] },
  'xray get-trace-summaries': { TraceSummaries: Array.from({ length: 7 }, (_, index) => ({ Id: 'trace-' + index })) },
  'xray batch-get-traces': { Traces: words.slice(3, -2).map((Id) => ({ Id, Segments: [] })) },
  'cloudformation describe-stacks': { Stacks: [{ Parameters: [{ ParameterKey: 'ModelBucket' }, { ParameterKey: 'ScheduleState' }, { ParameterKey: 'ScheduleEnd' }] }] },
};
const answer = answers[words.slice(0, 2).join(' ')];
if (answer !== undefined) console.log(JSON.stringify(answer));
`;

beforeEach(async () => {
  const made = await mkdtemp(join(tmpdir(), 'optimise-model-protocol-'));
  folder = made;
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  await writeFile(join(made, 'aws'), fakeAws);
  await chmod(join(made, 'aws'), 0o755);
});

async function run(...words: readonly string[]): Promise<readonly (readonly string[])[]> {
  const notes = join(folder, 'notes');
  const env = { PATH: `${folder}:${process.env.PATH}`, NOTES: notes, STUDY_ARRIVAL_MS: '0' };
  await promisify(execFile)(process.execPath, [runStudy, ...words, '--out', join(folder, 'out')], { env });
  return (await readFile(notes, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string[]);
}

const isCall = (name: string) => (words: readonly string[]) => words.slice(0, 2).join(' ') === name;
const flag = (words: readonly string[] | undefined, name: string) => words?.[words.indexOf(name) + 1];

describe('the protocol of redeployments', () => {
  it('publishes three versions per memory, each by another token, and calls each twice by its alias', async () => {
    const calls = await run('redeploy', '--functions', 'f', '--memory', '2048,4096');
    const updates = calls.filter(isCall('lambda update-function-configuration'));
    const variables = updates.map((words) => JSON.parse(flag(words, '--environment') ?? '').Variables);
    expect(updates.map((words) => flag(words, '--memory-size'))).toEqual([
      ...['2048', '2048', '2048'],
      ...['4096', '4096', '4096'],
    ]);
    expect(new Set(variables.map((each) => each.COLD_START_TOKEN)).size).toBe(6);
    expect(variables[0]).toMatchObject({ MODEL_BUCKET: 'b', MODEL_THREADS: '2' });
    expect(variables[5]).toMatchObject({ MODEL_THREADS: '3' });
    const invocations = calls.filter(isCall('lambda invoke'));
    expect(invocations).toHaveLength(12);
    expect(new Set(invocations.map((words) => flag(words, '--qualifier')))).toEqual(new Set(['live']));
    // A version is active before its alias moves, and the alias moves before the first call.
    expect(calls.slice(0, 8).map((words) => words.slice(1, 3).join(' '))).toEqual([
      'get-function-configuration --function-name',
      'update-function-configuration --function-name',
      'wait function-updated-v2',
      'publish-version --function-name',
      'wait published-version-active',
      'update-alias --function-name',
      'invoke --function-name',
      'invoke --function-name',
    ]);
  });
});

describe('collecting', () => {
  it('asks for ranges and numbers of traces that X-Ray takes, and writes what bench import reads', async () => {
    const since = new Date(Date.now() - 15 * 3_600_000).toISOString();
    const calls = await run('collect', '--functions', 'f', '--since', since);
    const ranges = calls
      .filter(isCall('xray get-trace-summaries'))
      .map((words) => Number(flag(words, '--end-time')) - Number(flag(words, '--start-time')));
    expect(ranges).toHaveLength(3);
    expect(Math.max(...ranges)).toBeLessThanOrEqual(6 * 3600);
    const pages = calls.filter(isCall('xray batch-get-traces')).map((words) => words.slice(3, -2));
    expect(pages.map((page) => page.length)).toEqual([5, 2]);
    const traces = JSON.parse(await readFile(join(folder, 'out', 'f.traces.json'), 'utf8'));
    expect(traces.Traces).toHaveLength(7);
    expect(JSON.parse(await readFile(join(folder, 'out', 'f.events.json'), 'utf8'))).toEqual({ events: [] });
  });
});

describe('the hourly protocol', () => {
  it('switches the schedule on until after the fifteenth call, and leaves the other parameters as they are', async () => {
    const calls = await run('hourly', '--stack', 's');
    const update = calls.find(isCall('cloudformation update-stack'));
    const parameters = JSON.parse(flag(update, '--parameters') ?? '');
    expect(parameters).toMatchObject([
      { ParameterKey: 'ModelBucket', UsePreviousValue: true },
      { ParameterKey: 'ScheduleState', ParameterValue: 'ENABLED' },
      { ParameterKey: 'ScheduleEnd' },
    ]);
    const hours = (Date.parse(parameters[2].ParameterValue) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(15);
    expect(hours).toBeLessThan(16);
  });
});
