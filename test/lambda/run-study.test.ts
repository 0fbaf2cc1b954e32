import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { chooseThreads } from '../../src/lib/cpu-quota.js';

const runStudy = resolve(import.meta.dirname, '../../pipelines/lambda/run-study.mjs');
let folder = '';

const variables = { MODEL_BUCKET: 'b', COLD_START_TOKEN: '0', MODEL_THREADS: '1' };

/** What the AWS CLI answers to each command; traces are answered by what is asked. */
const answers = {
  'lambda get-function-configuration': { MemorySize: 3008, Environment: { Variables: variables } },
  'lambda get-alias': { FunctionVersion: '5' },
  'lambda update-function-configuration': {},
  'lambda publish-version': { Version: '7' },
  'lambda update-alias': {},
  'lambda invoke': { StatusCode: 200 },
  'logs filter-log-events': { events: [] },
  'xray get-trace-summaries': {
    TraceSummaries: Array.from({ length: 7 }, (_, index) => ({ Id: `trace-${index}` })),
  },
  'cloudformation describe-stacks': {
    Stacks: [
      {
        Parameters: [
          { ParameterKey: 'ModelBucket' },
          { ParameterKey: 'ScheduleState' },
          { ParameterKey: 'ScheduleEnd' },
        ],
      },
    ],
  },
};

/** Between the words of a noted call. */
const unit = '\u001f';

/**
 * Notes what it was asked, and answers as the AWS CLI does. For a shell, as there are hundreds of calls, and a process
 * of Node.js takes longer than all that the protocol does between two of them.
 */
const fakeAws = `#!/bin/sh
printf '%s\\n' "$(printf '%s${unit}' "$@")" >> "$NOTES"
count=$(grep -c "^$1${unit}$2${unit}" "$NOTES")
# Who is interrupted hears of it while the call is still going on.
if [ "$1 $2 $count" = "$STOPS_AT" ]; then kill -INT $PPID; sleep 1; fi
if [ "$1 $2 $count" = "$FAILS_AT" ]; then exit 254; fi
case "$1 $2" in
${Object.entries(answers)
  .map(([command, answer]) => `'${command}') printf '%s' '${JSON.stringify(answer)}' ;;`)
  .join('\n')}
'xray batch-get-traces')
  shift 3
  given= refused=
  while [ $# -gt 2 ]; do
    if [ $1 = trace-6 ] || { [ $1 = trace-2 ] && [ $count -lt 3 ]; }; then refused="$refused,\\"$1\\""
    else given="$given,{\\"Id\\":\\"$1\\",\\"Segments\\":[]}"
    fi
    shift
  done
  printf '{"Traces":[%s],"UnprocessedTraceIds":[%s]}' "\${given#,}" "\${refused#,}" ;;
esac
`;

beforeEach(async () => {
  const made = await mkdtemp(join(tmpdir(), 'optimise-model-protocol-'));
  folder = made;
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  await writeFile(join(made, 'aws'), fakeAws);
  await chmod(join(made, 'aws'), 0o755);
});

async function run(...words: readonly string[]): Promise<readonly (readonly string[])[]> {
  await start(words);
  return readNotes();
}

function start(words: readonly string[], faults: Readonly<Record<string, string>> = {}) {
  const notes = join(folder, 'notes');
  const env = { PATH: `${folder}:${process.env.PATH}`, NOTES: notes, STUDY_ARRIVAL_MS: '0', ...faults };
  return promisify(execFile)(process.execPath, [runStudy, ...words, '--out', join(folder, 'out')], { env });
}

async function readNotes(): Promise<readonly (readonly string[])[]> {
  return (await readFile(join(folder, 'notes'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split(unit).slice(0, -1));
}

const isCall = (name: string) => (words: readonly string[]) => words.slice(0, 2).join(' ') === name;
const flag = (words: readonly string[] | undefined, name: string) => words?.[words.indexOf(name) + 1];

describe('the protocol of redeployments', () => {
  it('publishes three versions per memory, each by another token, and calls each twice by its alias', async () => {
    const calls = await run('redeploy', '--functions', 'f', '--memory', '2048,4096');
    const updates = calls.filter(isCall('lambda update-function-configuration'));
    const given = updates.map((words) => JSON.parse(flag(words, '--environment') ?? '').Variables);
    expect(updates.map((words) => flag(words, '--memory-size'))).toEqual([
      ...['2048', '2048', '2048'],
      ...['4096', '4096', '4096'],
      '3008',
    ]);
    expect(new Set(given.slice(0, 6).map((each) => each.COLD_START_TOKEN)).size).toBe(6);
    expect(given[0]).toMatchObject({ MODEL_BUCKET: 'b', MODEL_THREADS: '1' });
    expect(given[5]).toMatchObject({ MODEL_THREADS: '2' });
    const invocations = calls.filter(isCall('lambda invoke'));
    expect(invocations).toHaveLength(12);
    expect(new Set(invocations.map((words) => flag(words, '--qualifier')))).toEqual(new Set(['live']));
    // A version is active before its alias moves, and the alias moves before the first call.
    expect(calls.slice(2, 10).map((words) => words.slice(1, 3).join(' '))).toEqual([
      'wait function-updated-v2',
      'update-function-configuration --function-name',
      'wait function-updated-v2',
      'publish-version --function-name',
      'wait published-version-active',
      'update-alias --function-name',
      'invoke --function-name',
      'invoke --function-name',
    ]);
  });

  it('gives every function as many threads as the loader takes by itself', async () => {
    const calls = await run('redeploy', '--functions', 'f', '--memory', '1024,2048,8192');
    const updates = calls.filter(isCall('lambda update-function-configuration')).slice(0, -1);
    for (const words of updates) {
      const { threads } = chooseThreads({
        cgroupRoot: '/nowhere',
        cgroupText: null,
        statusText: null,
        fallbackCpus: 16,
        env: { AWS_LAMBDA_FUNCTION_MEMORY_SIZE: flag(words, '--memory-size') },
      });
      expect(JSON.parse(flag(words, '--environment') ?? '').Variables.MODEL_THREADS).toBe(`${threads}`);
    }
  });

  it.each([
    ['when all went well', {}],
    ['when a call fails', { FAILS_AT: 'lambda invoke 3' }],
    ['when it is interrupted', { STOPS_AT: 'lambda invoke 3' }],
  ])('puts memory, environment and alias of every function back %s', async (_when, faults) => {
    const isGood = Object.keys(faults).length === 0;
    const ended = start(['redeploy', '--functions', 'f,g', '--memory', '8192'], faults);
    await (isGood ? ended : expect(ended).rejects.toThrow());
    const calls = await readNotes();
    expect(calls.filter(isCall('lambda invoke'))).toHaveLength(isGood ? 12 : 3);
    for (const name of ['f', 'g']) {
      const own = calls.filter((words) => flag(words, '--function-name') === name);
      const update = own.filter(isCall('lambda update-function-configuration')).at(-1);
      expect(flag(update, '--memory-size')).toBe('3008');
      expect(JSON.parse(flag(update, '--environment') ?? '')).toEqual({ Variables: variables });
      expect(flag(own.filter(isCall('lambda update-alias')).at(-1), '--function-version')).toBe('5');
    }
  });

  it('puts the others back when one cannot be, and names it', async () => {
    const faults = { FAILS_AT: 'lambda update-alias 7' };
    const ended = start(['redeploy', '--functions', 'f,g', '--memory', '8192'], faults);
    await expect(ended).rejects.toThrow(
      'not as they were; deploy the stack again before the hourly calls: f (',
    );
    const last = (await readNotes()).filter(isCall('lambda update-function-configuration')).at(-1);
    expect([flag(last, '--function-name'), flag(last, '--memory-size')]).toEqual(['g', '3008']);
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
    expect(pages.slice(0, 2).map((page) => page.length)).toEqual([5, 2]);
    const traces = JSON.parse(await readFile(join(folder, 'out', 'f.traces.json'), 'utf8'));
    const ids = traces.Traces.map(({ Id }: { Id: string }) => Id);
    expect(ids.sort()).toEqual([0, 1, 2, 3, 4, 5].map((index) => `trace-${index}`));
    expect(JSON.parse(await readFile(join(folder, 'out', 'f.events.json'), 'utf8'))).toEqual({ events: [] });
  });

  it('asks again for traces that X-Ray left unprocessed, and says how many it did not give at all', async () => {
    const since = new Date(Date.now() - 1000).toISOString();
    const { stderr } = await start(['collect', '--functions', 'f', '--since', since]);
    const pages = (await readNotes())
      .filter(isCall('xray batch-get-traces'))
      .map((words) => words.slice(3, -2));
    expect(pages.slice(2)).toEqual([['trace-2', 'trace-6'], ['trace-6'], ['trace-6'], ['trace-6']]);
    expect(stderr).toContain('f: X-Ray did not give 1 of 7 traces');
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
