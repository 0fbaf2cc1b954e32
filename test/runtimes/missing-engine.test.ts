import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const script = `
import { importRuntime } from './dist/runtimes/import-runtime.js';
import { probeRuntimes } from './dist/runtimes/probe-runtimes.js';
const error = await importRuntime('onnxruntime').catch((thrown) => thrown);
const cause = error.cause instanceof Error;
console.log(JSON.stringify({ code: error.code, exitCode: error.exitCode, facts: error.facts, cause, probes: await probeRuntimes() }));`;

describe('a machine on which the engine is not installed whole', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'no-engine-'));
    // Only the built code and hollow packages, which also hide any that lie further up.
    for (const name of ['onnxruntime-node', 'onnxruntime-common']) {
      const hollow = join(folder, 'node_modules', name);
      await mkdir(hollow, { recursive: true });
      const manifest = { name, version: '1.30.0', main: 'index.js' };
      await writeFile(join(hollow, 'package.json'), JSON.stringify(manifest));
    }
    await writeFile(join(folder, 'node_modules', 'onnxruntime-common', 'index.js'), '');
    await cp('dist', join(folder, 'dist'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{ "type": "module", "version": "0.0.0" }');
    await writeFile(join(folder, 'main.js'), script);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is told which package to install, and doctor says why nothing was found', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'main.js')], { env: {} });
    const said = JSON.parse(stdout);
    expect(said).toMatchObject({
      code: 'runtime-missing',
      exitCode: 3,
      cause: true,
      facts: { engine: 'onnxruntime', packageName: 'onnxruntime-node' },
      probes: [
        {
          engine: 'onnxruntime',
          found: false,
          remedy: expect.stringContaining('npm install onnxruntime-node'),
        },
        { engine: 'openvino', found: false },
      ],
    });
    expect(said.facts.reason).toMatch(/Cannot find/);
  });
});
