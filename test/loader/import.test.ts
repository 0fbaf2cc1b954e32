import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeChildEnvironment } from '../../src/lib/child-environment.js';
import { resolveChildModule } from '../../src/lib/child-module.js';

/** What a process has loaded after importing the built loader. */
const program = `
  await import(process.argv[1]);
  const { Module } = await import('node:module');
  console.log(JSON.stringify({
    libraries: process.report.getReport().sharedObjects,
    commonModules: Object.keys(Module._cache),
  }));
`;

describe('importing the loader', () => {
  it('loads no engine, no AWS SDK and nothing else of node_modules, and holds nothing open', async () => {
    const url = new URL('../../src/loader/open-model.ts', import.meta.url).href;
    const built = pathToFileURL(resolveChildModule('./index.js', url)).href;
    const args = ['--input-type=module', '-e', program, built];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
      env: makeChildEnvironment(process.env),
    });
    const { libraries, commonModules } = JSON.parse(stdout);
    expect(libraries.filter((path: string) => path.includes('onnxruntime'))).toEqual([]);
    expect(commonModules).toEqual([]);
    // It also ended by itself: nothing that was imported holds the process.
    expect(stderr).toBe('');
  });
});
