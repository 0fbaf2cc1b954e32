import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  awaitCli,
  type CliResult,
  linkedPipeline,
  makeProject,
  oneVariant,
  runCli,
  startCli,
  tinyPipeline,
} from './run-cli.js';

let folder: string;
let first: CliResult;

// Whole runs, of up to thirty processes one after the other: ten seconds alone, many times that beside other tests.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 });

beforeAll(async () => {
  folder = await makeProject(linkedPipeline);
  first = await runCli(['run'], folder);
});

describe('optimise-model run', () => {
  it('does every step, prints one line for each and ends with 0', () => {
    expect(first.stderr).toContain('✓ convert  fp16-weights.external');
    expect(first.exitCode).toBe(0);
    const verbs = first.stderr.split('\n').flatMap((line) => /^✓ (\w+)/.exec(line)?.[1] ?? []);
    const once = ['check', 'bench', 'pick', 'publish'];
    expect(verbs).toEqual([
      'convert',
      'convert',
      'validate',
      'validate',
      'check',
      'stage',
      'stage',
      ...once.slice(1),
    ]);
  });

  it('prints the tables and the pick to stdout, without colour into a pipe', () => {
    expect(first.stdout).toContain('Pick by total');
    expect(first.stdout).toMatch(/winner/);
    expect(first.stdout).not.toContain('\u001b');
  });

  it('writes the record, the reports and the release, and nothing half-written', async () => {
    const run = join(folder, 'artifacts', 'tiny');
    expect(await readdir(run)).toEqual(
      expect.arrayContaining([
        'report.html',
        'report.md',
        'result.json',
        'run.json',
        'samples.jsonl',
        'variants',
      ]),
    );
    const names = await readdir(join(folder, 'artifacts'), { recursive: true });
    expect(names.filter((name) => /\.part|\.tmp|\.lock/.test(name))).toEqual([]);
    const store = join(folder, 'artifacts', 'store', 'tiny');
    const current = JSON.parse(await readFile(join(store, 'current.json'), 'utf8'));
    expect(existsSync(join(store, current.releaseKey))).toBe(true);
  });

  it('reuses everything the second time, and says so', async () => {
    const second = await runCli(['run', 'tiny'], folder);
    expect(second.exitCode).toBe(0);
    expect(second.stderr).not.toContain('✓');
    expect(second.stderr).toContain('10 of 10 steps reused');
    expect(second.stdout).toContain('Pick by total');
  });

  it('does only what changed', async () => {
    const objective = await runCli(['run', 'tiny', '--objective', 'size'], folder);
    const done = objective.stderr.split('\n').flatMap((line) => /^✓ (\w+)/.exec(line)?.[1] ?? []);
    expect(done).toEqual(['pick', 'publish']);
    expect((await runCli(['run', 'tiny'], folder)).exitCode).toBe(0);
  });

  it('publishes nothing when another one is picked than expected, by name or by what is current', async () => {
    const current = join(folder, 'artifacts', 'store', 'tiny', 'current.json');
    const before = await readFile(current, 'utf8');
    const { result } = JSON.parse(await readFile(join(folder, 'artifacts', 'tiny', 'result.json'), 'utf8'));
    const { variantId, delivery } = result.pick.winner;
    const other = variantId === 'fp32.single' ? 'fp16-weights.external' : 'fp32.single';
    const broken = await runCli(['run', 'tiny', '--redo', 'publish', '--expect', other], folder);
    expect(broken.exitCode).toBe(1);
    expect(broken.stderr).toContain(`${other} was expected`);
    expect(await readFile(current, 'utf8')).toBe(before);
    for (const name of ['recorded', `${variantId}:${delivery}`])
      expect((await runCli(['run', 'tiny', '--expect', name], folder)).exitCode).toBe(0);
    const mistyped = await runCli(['run', 'tiny', '--redo', 'convert', '--expect', 'fp32.singel'], folder);
    expect(mistyped.exitCode).toBe(2);
    expect(mistyped.stderr).toContain('Did you mean `--expect fp32.single`?');
    expect(mistyped.stderr).not.toContain('✓');
  });

  it('makes again an artifact that was damaged', async () => {
    const damaged = join(folder, 'artifacts', 'tiny', 'variants', 'fp16-weights.external');
    await rm(join(damaged, 'model.onnx.data'));
    const again = await runCli(['run', 'tiny'], folder);
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toContain('✓ convert  fp16-weights.external');
    expect(existsSync(join(damaged, 'model.onnx.data'))).toBe(true);
  });

  it('shows the resolved pipeline and does nothing with --dry-run', async () => {
    const project = await makeProject();
    const dry = await runCli(['run', 'tiny', '--dry-run', '--runs', '9'], project, {
      OPTIMISE_MODEL_WARM: '7',
    });
    expect(dry.exitCode).toBe(0);
    expect(dry.stdout).toContain(`model: ${join(project, 'model.onnx')}`);
    expect(dry.stdout).toMatch(/runs: 9\n {2}warm: 7/);
    expect(existsSync(join(project, 'artifacts'))).toBe(false);
  });

  it('ends with 1 and publishes nothing when no candidate is left', async () => {
    const project = await makeProject(
      `${tinyPipeline}parity: { rtol: 0, atol: 0, cosine: 1, maxAbs: 0 }\n`.replace(
        '  - { precision: fp32 }\n',
        '',
      ),
    );
    const result = await runCli(['run', 'tiny'], project);
    expect(result.exitCode).toBe(1);
    expect(result.stdout).toContain('parity failed');
    expect(existsSync(join(project, 'artifacts', 'store', 'tiny', 'current.json'))).toBe(false);
  });

  it('leaves a current.json that was moved alone, says so, and moves it when publish is asked for', async () => {
    const path = join(folder, 'artifacts', 'store', 'tiny', 'current.json');
    const ours = JSON.parse(await readFile(path, 'utf8'));
    const moved = { ...ours, release: 'earlier', releaseKey: 'releases/earlier.json' };
    await writeFile(path, JSON.stringify(moved));
    const again = await runCli(['run'], folder);
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toContain('! publish');
    expect(JSON.parse(await readFile(path, 'utf8')).release).toBe('earlier');
    const publish = await runCli(['publish', 'tiny'], folder);
    expect(publish.exitCode).toBe(0);
    expect(JSON.parse(await readFile(path, 'utf8')).release).not.toBe('earlier');
  });

  it('goes on with a recorded run: bench, publish and report', async () => {
    const bench = await runCli(['bench', 'tiny'], folder);
    expect(bench.stderr).toContain('✓ bench');
    expect(bench.exitCode).toBe(0);
    const publish = await runCli(['publish', 'tiny'], folder);
    expect(publish.stdout).toContain('current');
    const report = await runCli(['report', 'tiny'], folder);
    expect(report.stdout).toContain('## optimise-model: tiny');
    for (const { exitCode } of [publish, report]) expect(exitCode).toBe(0);
  });

  it('answers what pick would choose by other rules, and leaves what is published alone', async () => {
    const record = await readFile(join(folder, 'artifacts', 'tiny', 'run.json'), 'utf8');
    const question = await runCli(['pick', '--objective', 'ready', '--allow-unproven'], folder);
    expect(question.exitCode).toBe(0);
    expect(question.stdout).toContain('Pick by ready');
    expect(await readFile(join(folder, 'artifacts', 'tiny', 'run.json'), 'utf8')).toBe(record);
  });

  it('goes on in a copy of a run folder without touching the original', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'copy-'));
    await cp(join(folder, 'artifacts', 'tiny'), copy, { recursive: true });
    const before = await readFile(join(folder, 'artifacts', 'tiny', 'run.json'), 'utf8');
    const publish = await runCli(['publish', copy], folder);
    expect(publish.exitCode).toBe(0);
    expect(await readFile(join(folder, 'artifacts', 'tiny', 'run.json'), 'utf8')).toBe(before);
  });
});

describe('Ctrl-C', () => {
  it('stops the work, cleans up and ends with 130; the next run goes on', async () => {
    const project = await makeProject(oneVariant.replace('runs: 1', 'runs: 40'));
    const child = startCli(['run', 'tiny'], project);
    const ended = awaitCli(child);
    const samples = join(project, 'artifacts', 'tiny', 'samples.jsonl.part');
    while ((await stat(samples).catch(() => ({ size: 0 }))).size === 0) await sleep(20);
    child.kill('SIGINT');
    const result = await ended;
    expect(result.exitCode).toBe(130);
    expect(result.stderr).toContain('Stopped by Ctrl-C');
    const listUnfinished = async () => {
      const names = await readdir(join(project, 'artifacts'), { recursive: true });
      return names.filter((name) => /\.part|\.tmp|\.lock/.test(name));
    };
    // The samples until then are all that there is of a long measurement.
    expect(await listUnfinished()).toEqual(['tiny/samples.jsonl.part']);
    const next = await runCli(['run', 'tiny', '--runs', '1'], project);
    expect(next.exitCode).toBe(0);
    expect(next.stderr).toContain('↻ stage');
    expect(await listUnfinished()).toEqual([]);
  });
});
