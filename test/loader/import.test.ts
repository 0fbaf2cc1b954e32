import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeChildEnvironment } from '../../src/lib/child-environment.js';
import { resolveChildModule } from '../../src/lib/child-module.js';
import { writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { temporaryFolder } from '../fixtures/opaque-artifact.js';

/** What a process has loaded after importing a built module. */
const program = `
  const { default: fs } = await import('node:fs');
  const { Module, syncBuiltinESMExports } = await import('node:module');
  const { readFileSync } = fs;
  const read = [];
  fs.readFileSync = (path, ...rest) => {
    read.push(String(path));
    return readFileSync(path, ...rest);
  };
  syncBuiltinESMExports();
  await import(process.argv[1]);
  console.log(JSON.stringify({
    machine: read.filter((path) => /^\\/(proc|sys)\\//.test(path)),
    libraries: process.report.getReport().sharedObjects,
    commonModules: Object.keys(Module._cache),
  }));
`;

type Loaded = {
  readonly machine: string[];
  readonly libraries: string[];
  readonly commonModules: string[];
  readonly stderr: string;
};

async function importBuilt(module: string): Promise<Loaded> {
  const url = new URL('../../src/loader/open-model.ts', import.meta.url).href;
  const built = pathToFileURL(resolveChildModule(module, url)).href;
  const args = ['--input-type=module', '-e', program, built];
  const env = makeChildEnvironment(process.env);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
  return { ...JSON.parse(stdout), stderr };
}

describe('importing the loader', () => {
  it('loads what reads from S3, once it is needed, without what sends to it', async () => {
    const { commonModules } = await importBuilt('../store/s3-store.js');
    expect(commonModules.filter((path) => path.includes('@aws-sdk/client-s3'))).not.toEqual([]);
    expect(commonModules.filter((path) => path.includes('lib-storage'))).toEqual([]);
    // Not by `import`, which would search its whole text for names.
    expect(commonModules[0]).toMatch(/\/dist\/aws\/sdk\/[a-z]+\.cjs$/);
  });

  it('loads no engine, no AWS SDK and nothing else of node_modules, and holds nothing open', async () => {
    const { machine, libraries, commonModules, stderr } = await importBuilt('./index.js');
    // How many threads this machine offers is asked when a session is opened.
    expect(machine).toEqual([]);
    expect(libraries.filter((path) => path.includes('onnxruntime'))).toEqual([]);
    expect(commonModules).toEqual([]);
    // It also ended by itself: nothing that was imported holds the process.
    expect(stderr).toBe('');
  });
});

const openingProgram = `
  const { openModel } = await import(process.argv[1]);
  const model = await openModel(process.argv[2], { delivery: 'layer' });
  await model.run({ x: { type: 'float32', dims: [64], data: new Float32Array(64) } });
  await model.close();
`;

describe('opening a model', () => {
  it('leaves nothing of the engine in the temporary folder, and its telemetry off', async () => {
    const [artifact, TMPDIR] = [await temporaryFolder(), await temporaryFolder()];
    await writeTinyArtifact(artifact);
    const url = new URL('../../src/loader/open-model.ts', import.meta.url).href;
    const built = pathToFileURL(resolveChildModule('./index.js', url)).href;
    const { ORT_DISABLE_TELEMETRY: _left, ...rest } = makeChildEnvironment(process.env);
    const args = ['--input-type=module', '-e', openingProgram, built, artifact];
    await promisify(execFile)(process.execPath, args, { env: { ...rest, TMPDIR } });
    expect(await readdir(TMPDIR)).toEqual([]);
  });
});
