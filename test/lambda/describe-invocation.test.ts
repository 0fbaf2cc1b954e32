import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { importLambdaRuns } from '../../src/bench/import/import-lambda-runs.js';

type Line = Readonly<Record<string, unknown>>;
type DescribeInvocation = (
  event: { readonly calledAtMs?: number },
  context: Readonly<Record<string, string>>,
  isCold: boolean,
  times: Readonly<Record<string, number | boolean>>,
  model: Readonly<Record<string, unknown>>,
) => Line;

const file = resolve(import.meta.dirname, '../../pipelines/lambda/node-loader/describe-invocation.mjs');
const context = { functionName: 'f', awsRequestId: 'request-1', memoryLimitInMB: '4096' };
/** What the loader measured: its records were read at init in 30 of the 130 ms of downloading. */
const phases = { startMs: 80, runtimeMs: 60, downloadMs: 130, sessionMs: 40, firstInferenceMs: 25 };
const inferences = { initialInferenceMs: 25, furtherInferences: 50, furtherInferencesMs: 1000 };
let describeInvocation: DescribeInvocation;

beforeAll(async () => {
  ({ describeInvocation } = (await import(pathToFileURL(file).href)) as {
    describeInvocation: DescribeInvocation;
  });
});
afterEach(() => vi.unstubAllEnvs());

/** The line of a first call: the process was there 300 ms after it, the handler entered 500 ms after it. */
function describeFirst(
  startMode: string,
  delivery: string,
  wasLoaded: boolean,
  measured: object = phases,
): Line {
  vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', startMode);
  const calledAtMs = performance.timeOrigin - 300;
  const opening = { enteredAtMs: calledAtMs + 500, wasLoaded, readyAfterMs: wasLoaded ? 0 : 205 };
  const model = { delivery, variant: { id: 'fp16.single' }, threads: 2, phases: measured };
  return describeInvocation({ calledAtMs }, context, true, { ...opening, ...inferences }, model);
}

/** The six metrics but the further inference. */
async function importLine(line: Line): Promise<readonly (number | undefined)[]> {
  const folder = await mkdtemp(join(tmpdir(), 'optimise-model-line-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'line.txt');
  await writeFile(path, `${JSON.stringify(line)}\n`);
  const { rows } = await importLambdaRuns({ files: [path], functionName: null, skipIncomplete: false });
  expect(rows).toMatchObject([{ variantId: 'fp16.single', threads: 2, state: 'cold' }]);
  const { callingToLoadModelMs, loadModelMs, initialInferenceMs, totalMetricMs } = rows[0]?.metrics ?? {};
  const spreads = [callingToLoadModelMs, loadModelMs, initialInferenceMs, totalMetricMs];
  return spreads.map((spread) => Math.round(spread?.median ?? Number.NaN));
}

describe('the line of the Node.js function', () => {
  it('of a model that is loaded at init has the library before the load', async () => {
    expect(await importLine(describeFirst('on-demand', 's3-copy', true))).toEqual([440, 170, 25, 635]);
  });

  it('does not say when the load began where the loader does not know when the process started', () => {
    const line = describeFirst('on-demand', 's3-copy', true, { ...phases, startMs: null });
    expect(line).toMatchObject({ loadStartedAtMs: null, loadMs: 170 });
  });

  it('of a lazy model has all that passes once: the library before the load, what was read at init before the entry', async () => {
    // 500 until the entry and 60 of the library, 205 − 60 of the rest, 25: nothing is lost and nothing is there twice.
    expect(await importLine(describeFirst('on-demand', 'lazy', false))).toEqual([560, 145, 25, 730]);
  });

  it('of a lazy model in a provisioned process has its load in the call', async () => {
    const line = describeFirst('provisioned-concurrency', 'lazy', false);
    expect(await importLine(line)).toEqual([560, 145, 25, 730]);
  });

  it('of a process that had loaded before the call has nothing to load', async () => {
    const line = describeFirst('provisioned-concurrency', 's3-copy', true);
    expect(await importLine(line)).toEqual([500, 0, 25, 525]);
  });
});
