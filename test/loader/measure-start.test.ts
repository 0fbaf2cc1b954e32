import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { makeChildEnvironment } from '../../src/lib/child-environment.js';
import { resolveChildModule } from '../../src/lib/child-module.js';
import type { ColdStartLog } from '../../src/loader/index.js';
import { writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const makeFolder = useTempFolder();
let measureStart: (nowMs: number) => number | null;

beforeEach(async () => {
  vi.resetModules();
  ({ measureStart } = await import('../../src/loader/measure-start.js'));
});

describe('the start of a process', () => {
  it('lasts until the loader is entered for the first time', () => {
    expect([measureStart(120), measureStart(130), measureStart(9_000)]).toEqual([120, null, null]);
  });

  it('is not known where the loader is entered longer after it than Lambda lets a process initialise itself', () => {
    expect([measureStart(10_001), measureStart(10_002)]).toEqual([null, null]);
  });
});

const program = `
  const { openModel } = await import(process.argv[1]);
  const logs = [];
  const feeds = { x: { type: 'float32', dims: [64], data: new Float32Array(64) } };
  for (const delivery of ['layer', 'layer']) {
    const model = await openModel(process.argv[2], { delivery, onLog: (log) => logs.push(log) });
    await model.run(feeds);
    await model.close();
  }
  console.log(JSON.stringify(logs));
`;

it('is part of the phases and sums of the first model of a process, and of no other', async () => {
  const artifact = await makeFolder();
  await writeTinyArtifact(artifact);
  const url = new URL('../../src/loader/open-model.ts', import.meta.url).href;
  const built = pathToFileURL(resolveChildModule('./index.js', url)).href;
  const args = ['--input-type=module', '-e', program, built, artifact];
  const env = makeChildEnvironment(process.env);
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  const [first, second] = JSON.parse(stdout) as [ColdStartLog, ColdStartLog];
  const { startMs, runtimeMs, downloadMs, sessionMs } = first.phases;
  expect(startMs).toBeGreaterThan(0);
  const loadMs = Number(downloadMs) + Number(sessionMs);
  expect(first.sums?.loadMs).toBe(loadMs);
  expect(first.sums?.coldStartMs).toBeCloseTo(Number(startMs) + Number(runtimeMs) + loadMs, 6);
  expect(second).toMatchObject({ status: 'ready', phases: { startMs: null }, sums: null });
  expect(second.phases.sessionMs).toBeGreaterThan(0);
});
