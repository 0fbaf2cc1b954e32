import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeProject, runCli } from './run-cli.js';

const run = promisify(execFile);
const bin = resolve(import.meta.dirname, '../../dist/bin.js');
const listener = resolve(import.meta.dirname, '../fixtures/list-loaded.mjs');

/** Every file that the command loads, sorted by what it is: our own modules, and packages by name. */
async function load(args: readonly string[], folder: string) {
  const { stderr } = await run(process.execPath, ['--import', listener, bin, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  const paths = stderr.split('\n').flatMap((line) => /^loaded (.*)/.exec(line)?.[1] ?? []);
  const packages = paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  const own = paths.flatMap((path) => /\/dist\/(?!.*node_modules)(.*)/.exec(path)?.[1] ?? []);
  return { packages: [...new Set(packages)].sort(), own };
}

let folder: string;

beforeAll(async () => {
  folder = await makeProject();
});

afterAll(() => rm(folder, { recursive: true }));

describe('what a command loads', () => {
  it('is no verb for the version', async () => {
    const { packages, own } = await load(['--version'], folder);
    expect(packages).toEqual(['commander']);
    expect(own.length).toBeLessThan(12);
  });

  it('is no verb for the help, which shows all commands', async () => {
    const { packages, own } = await load(['--help'], folder);
    expect(packages).toEqual(['commander']);
    expect(own.filter((path) => /convert-model|run-pipeline\.|validate-parity/.test(path))).toEqual([]);
  });

  it('is the model format and nothing else for convert', async () => {
    const args = ['convert', 'model.onnx', '--out', 'made', '--no-load-check'];
    const { packages, own } = await load(args, folder);
    const named = packages.filter((name) => !name.startsWith('@protobufjs/'));
    expect(named).toEqual(['commander', 'long', 'onnx-proto', 'protobufjs']);
    expect(own.length).toBeLessThan(60);
  });

  it('is neither a schema nor a pipeline for validate', async () => {
    const { packages } = await load(['validate', 'model.onnx', 'model.onnx'], folder);
    expect(packages).not.toContain('zod');
    expect(packages).not.toContain('yaml');
  });
});

describe('a command line', () => {
  it.each([
    ['that names no command', ['--help']],
    ['that asks for help on one', ['help']],
    ['with a flag before', ['--json', '--help']],
  ])('%s shows all commands', async (_what, args) => {
    const { stdout } = await runCli(args, folder);
    for (const name of ['run', 'convert', 'publish', 'doctor']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    }
  });

  it('takes flags before the command', async () => {
    const made = await mkdtemp(join(folder, 'made-'));
    const { exitCode, stdout } = await runCli(
      ['--json', '--no-progress', 'convert', 'model.onnx', '--out', made],
      folder,
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).command).toBe('convert');
  });
});
