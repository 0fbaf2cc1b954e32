import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runtimePackFiles, runtimeVersion } from '../../src/runtimes/runtime-pack.js';
import { encodeModel, node, value } from '../fixtures/tiny-onnx.js';

const onnxruntime = { engine: 'onnxruntime', layout: 'single' } as const;

const script = `
const ort = require('onnxruntime-node');
ort.InferenceSession.create(__dirname + '/m.onnx').then(async (session) => {
  const { y } = await session.run({ x: new ort.Tensor('float32', Float32Array.of(-3, 4), [2]) });
  console.log(JSON.stringify([...y.data]));
});`;

async function unpack(leaveOut?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pack-'));
  const { files } = await runtimePackFiles(onnxruntime, process.platform, process.arch);
  for (const file of files) {
    if (file.path === leaveOut) continue;
    const target = join(folder, 'node_modules', file.path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(file.source, target);
  }
  const graph = {
    input: [value('x', 'float32', [2])],
    output: [value('y', 'float32', [2])],
    node: [node('Abs', ['x'], ['y'])],
  };
  await writeFile(join(folder, 'm.onnx'), encodeModel(graph));
  await writeFile(join(folder, 'main.cjs'), script);
  return folder;
}

async function runIn(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'main.cjs')], { env: {} });
  return stdout.trim();
}

describe('runtimePackFiles', () => {
  it('lists enough to run a model with nothing else installed', async () => {
    const folder = await unpack();
    expect(await runIn(folder)).toBe('[3,4]');
    await rm(folder, { recursive: true });
  });

  it('lists nothing that could be left out, but for the two package.json that Node can do without', async () => {
    const { files } = await runtimePackFiles(onnxruntime, process.platform, process.arch);
    // Without it Node finds the entry point all the same, by another default path; the rest breaks the run.
    const scripts = files.filter(
      ({ path }) => path.endsWith('.js') || /libonnxruntime|cjs\/package.json/.test(path),
    );
    const folder = await unpack();
    for (const { path, source } of scripts) {
      const target = join(folder, 'node_modules', path);
      await rm(target);
      await expect(runIn(folder), path).rejects.toThrow();
      await copyFile(source, target);
    }
    await rm(folder, { recursive: true });
  });

  it('gives version, sizes and sorted paths for linux on both architectures', async () => {
    for (const arch of ['x64', 'arm64']) {
      const { version, files } = await runtimePackFiles(onnxruntime, 'linux', arch);
      const paths = files.map(({ path }) => path);
      expect(version).toMatch(/^1\.\d+\.\d+$/);
      expect(paths).toEqual(paths.toSorted());
      expect(paths).toContain(`onnxruntime-node/bin/napi-v6/linux/${arch}/libonnxruntime.so.1`);
      expect(paths.filter((path) => /\.(map|ts|md)$/.test(path))).toEqual([]);
      expect(files.every(({ sizeBytes }) => sizeBytes > 0)).toBe(true);
    }
  });

  it('says which platform has no binary', async () => {
    await expect(runtimePackFiles(onnxruntime, 'aix', 'ppc')).rejects.toMatchObject({
      code: 'runtime-missing',
      exitCode: 3,
      facts: { platform: 'aix/ppc' },
    });
  });
});

describe('runtimeVersion', () => {
  it('is that of the pack, and can be told where no binary for the platform is installed', async () => {
    const { version } = await runtimePackFiles(onnxruntime, 'linux', 'x64');
    const own = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
    Object.defineProperty(process, 'platform', { ...own, value: 'aix' });
    try {
      expect(await runtimeVersion('onnxruntime')).toBe(version);
    } finally {
      Object.defineProperty(process, 'platform', own);
    }
  });
});
