import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeProject, oneVariant, runCli } from './run-cli.js';

let folder: string;

beforeAll(async () => {
  // By the one delivery that needs no samples of a floor besides.
  folder = await makeProject(oneVariant.replace('[s3-copy, stream]', '[stream]'));
  const { exitCode, stderr } = await runCli(['run', 'tiny'], folder);
  if (exitCode !== 0) throw new Error(stderr);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('bench --baseline', () => {
  test('measures the release beside the candidates and lets pass what is not slower', async () => {
    const args = ['bench', '--baseline', 'current', '--max-slowdown', '300%', '--runs', '6', '--warm', '0'];
    const { exitCode, stdout } = await runCli([...args, '--json'], folder);
    const { status, result } = JSON.parse(stdout);
    expect([exitCode, status]).toEqual([0, 'ok']);
    expect(result.baseline).toMatchObject({ verdict: 'pass', mostRatio: 4 });
    const { variantId, delivery } = result.baseline.baseline;
    expect(variantId).toMatch(/^fp32\.single@2\d{7}T\d{6}Z-/);
    const own = result.rows.filter((row: { variantId: string }) => row.variantId === variantId);
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({ delivery, runs: 6, failures: 0 });
  }, 180_000);

  test('does not judge by samples that are too few: exit 4', async () => {
    const args = ['bench', '--baseline', 'current', '--runs', '2', '--warm', '0'];
    const { exitCode, stdout } = await runCli(args, folder);
    expect(exitCode).toBe(4);
    expect(stdout).toContain('Gate: ');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('(too few samples: 2 of 6)');
    expect(stdout).not.toContain('the interval reaches');
  });

  test('refuses the address of an artifact, which says nothing of a delivery', async () => {
    const record = JSON.parse(await readFile(join(folder, 'artifacts/tiny/run.json'), 'utf8'));
    const { artifactUrl } = record.steps.find((step: { verb: string }) => step.verb === 'stage').output;
    const { exitCode, stdout } = await runCli(['bench', '--baseline', artifactUrl, '--json'], folder);
    expect([exitCode, JSON.parse(stdout).error.code]).toEqual([2, 'bench-baseline-no-release']);
  });

  test('refuses a release that is not there before it measures anything', async () => {
    const { exitCode, stderr } = await runCli(['bench', '--baseline', '20200101T000000Z-none'], folder);
    expect([exitCode, stderr.includes('releases/20200101T000000Z-none.json')]).toEqual([2, true]);
  });
});

describe('run with bench.baseline', () => {
  let project: string;
  const write = (text: string) => writeFile(join(project, 'pipelines/tiny.yaml'), text);
  const gated = (bench: string) => `name: tiny
model: ../model.onnx
variants: [{ precision: fp32 }]
bench: { cache: warm, warm: 0, link: real, baseline: { release: current, maxSlowdown: 1 }, ${bench} }
publish: { to: current }
`;
  const slower = 'deliveries: [stream], environment: { stream: { ms: 60000, source: a test } }';
  let currentUrl = '';
  const current = () => readFile(currentUrl, 'utf8');
  const run = async (...args: readonly string[]) => {
    const { exitCode, stdout } = await runCli([...args, '--json'], project);
    const { status, findings, result } = JSON.parse(stdout);
    const byCode = (code: string) => findings.find((finding: { code: string }) => finding.code === code);
    return { exitCode, status, byCode, result };
  };

  beforeAll(async () => {
    project = await makeProject(gated('runs: 1, deliveries: [lazy]'));
  });

  afterAll(() => rm(project, { recursive: true, force: true }));

  test('publishes the first release, which there is nothing to compare with, and says so', async () => {
    const { exitCode, byCode, result } = await run('run', 'tiny');
    expect(exitCode).toBe(0);
    expect(byCode('bench-baseline-none')).toMatchObject({ severity: 'info' });
    expect(result.publish.release).toMatch(/^2\d{7}T/);
    currentUrl = result.publish.currentUrl;
  }, 60_000);

  test('publishes nothing when it is slower than accepted: exit 1', async () => {
    const before = await current();
    await write(gated(`runs: 6, ${slower}`));
    const { exitCode, status, byCode, result } = await run('run', 'tiny');
    expect([exitCode, status, result.publish]).toEqual([1, 'no', null]);
    expect(byCode('run-held-back')).toMatchObject({ severity: 'error', facts: { verdict: 'fail' } });
    expect(byCode('bench-slower-than-baseline').severity).toBe('error');
    const published = await run('publish', 'tiny');
    expect([published.exitCode, published.byCode('run-held-back').facts.verdict]).toEqual([1, 'fail']);
    expect(await current()).toBe(before);
  }, 120_000);

  test('publishes nothing when that could not be judged: exit 4', async () => {
    const before = await current();
    await write(gated(`runs: 2, ${slower}`));
    const { exitCode, status, byCode, result } = await run('run', 'tiny');
    expect([exitCode, status, result.publish]).toEqual([4, 'unjudged', null]);
    const { severity, facts, remedy } = byCode('run-held-back');
    expect([severity, facts.verdict, facts.neededSamples]).toEqual(['warning', 'inconclusive', 6]);
    expect(remedy).toContain('Set `bench.runs`');
    expect(await current()).toBe(before);
    // A layer whose environment is not stated is compared with nothing.
    await write(
      gated('runs: 1, deliveries: [layer]')
        .replace('publish:', 'pick: { objective: steady }\npublish:')
        .replace('warm: 0', 'warm: 2'),
    );
    const apart = await run('run', 'tiny');
    expect([apart.exitCode, apart.result.pick.winner.delivery, apart.result.publish]).toEqual([
      4,
      'layer',
      null,
    ]);
    expect(apart.byCode('run-held-back').facts.verdict).toBe('not-comparable');
    expect(await current()).toBe(before);
  }, 120_000);
});
