import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeProject, runCli } from './run-cli.js';

let folder: string;

beforeAll(async () => {
  folder = await makeProject();
  const { exitCode, stderr } = await runCli(['run', 'tiny'], folder);
  if (exitCode !== 0) throw new Error(stderr);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('bench --baseline', () => {
  test('measures the release beside the candidates and lets pass what is not slower', async () => {
    const args = ['bench', '--baseline', 'current', '--max-slowdown', '300%', '--runs', '6', '--warm', '0'];
    const few = ['--delivery', 's3-copy', '--json'];
    const { exitCode, stdout } = await runCli([...args, ...few], folder);
    const { status, result } = JSON.parse(stdout);
    expect([exitCode, status]).toEqual([0, 'ok']);
    expect(result.baseline).toMatchObject({ verdict: 'pass', mostRatio: 4 });
    const { variantId, delivery } = result.baseline.baseline;
    expect(variantId).toMatch(/^fp(32\.single|16-weights\.external)@2\d{7}T\d{6}Z-/);
    const own = result.rows.filter((row: { variantId: string }) => row.variantId === variantId);
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({ delivery, runs: 6, failures: 0 });
  }, 180_000);

  test('does not judge by samples that are too few: exit 4', async () => {
    const { exitCode, stdout } = await runCli(
      ['bench', '--baseline', 'current', '--runs', '2', '--warm', '0'],
      folder,
    );
    expect(exitCode).toBe(4);
    expect(stdout).toContain('Gate: ');
  });

  test('refuses a release that is not there before it measures anything', async () => {
    const { exitCode, stderr } = await runCli(['bench', '--baseline', '20200101T000000Z-none'], folder);
    expect([exitCode, stderr.includes('releases/20200101T000000Z-none.json')]).toEqual([2, true]);
  });
});
