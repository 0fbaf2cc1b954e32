import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importLambdaRuns } from '../../src/bench/import/import-lambda-runs.js';

const run = promisify(execFile);
const modules = resolve(import.meta.dirname, '../../pipelines/lambda/study-line/python');
let folder = '';

/** A handler whose model and whose inference cost nothing, called twice; hooks are kept and run as Lambda does. */
const program = `
import sys, time, types
hooks = types.ModuleType("snapshot_restore_py")
registered = []
hooks.register_before_snapshot = lambda hook: registered.append(hook)
sys.modules["snapshot_restore_py"] = hooks
from study_line import Study, load_before_snapshot
loads = []
def load():
    loads.append(1)
    time.sleep(0.02)
    return "model"
study = Study("s3-copy", load, lambda model: None)
load_before_snapshot(study)
for hook in registered: hook()
class Context: function_name = "f"; memory_limit_in_mb = "2048"
for name in ("request-1", "request-2"):
    context = Context(); context.aws_request_id = name
    study.invoke({"calledAtMs": time.time() * 1000 - 600000}, context)
assert loads == [1], loads
`;

async function callTwice(startMode: string): Promise<readonly Record<string, unknown>[]> {
  const { stdout } = await run('python3', ['-c', program], {
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: modules,
      PYTHONDONTWRITEBYTECODE: '1',
      AWS_LAMBDA_INITIALIZATION_TYPE: startMode,
      MODEL_THREADS: '2',
    },
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'optimise-model-study-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async (context) => {
  const isThere = await run('python3', ['--version']).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  if (process.env.CI) throw new Error('In CI this test must run: there is no python3');
  context.skip('there is no python3');
});

describe('the line of the Python functions', () => {
  it('is read by bench import without anything else, cold and warm', async () => {
    const lines = await callTwice('on-demand');
    const file = join(folder, 'on-demand.txt');
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { rows } = await importLambdaRuns({ files: [file], functionName: null, skipIncomplete: false });
    expect(rows).toMatchObject([
      {
        functionName: 'f',
        memoryMiB: 2048,
        startMode: 'on-demand',
        state: 'cold',
        delivery: 's3-copy',
        threads: 2,
      },
      { state: 'warm', metrics: { loadModelMs: { median: 0 } } },
    ]);
    expect(rows[0]?.metrics.loadModelMs?.median).toBeGreaterThanOrEqual(20);
    expect(rows[0]?.environmentMs?.median).toBeGreaterThan(0);
    expect(rows[0]?.environmentMs?.median).toBeLessThan(600_100);
  });

  it('says that a snapshot holds the model, and nothing of when its process started', async () => {
    const [cold] = await callTwice('snap-start');
    expect(cold).toMatchObject({ cold: true, loadMs: 0, processStartedAtMs: null, startMode: 'snap-start' });
  });

  it('says that a provisioned process had loaded before the call', async () => {
    const [cold, warm] = await callTwice('provisioned-concurrency');
    expect(cold).toMatchObject({ cold: true, loadMs: 0 });
    expect(warm).toMatchObject({ cold: false, loadMs: 0 });
  });
});
