import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listLoaderFiles } from '../../../src/check/loader-files.js';
import { layouts } from '../../../src/lib/variant.js';
import { exportBlobIsolated } from '../../../src/runtimes/run-isolated.js';
import { runtimePackFiles } from '../../../src/runtimes/runtime-pack.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';
import { encodeModel, floatTensor, node, value } from '../../fixtures/tiny-onnx.js';
import { requireOpenvino } from '../../services/require-openvino.js';

const tempFolder = useTempFolder();
beforeEach(async (context) => void (await requireOpenvino(context)));
const before = process.env.OPENVINO_LIB_PATH;
afterEach(() => {
  if (before === undefined) delete process.env.OPENVINO_LIB_PATH;
  else process.env.OPENVINO_LIB_PATH = before;
});

const width = 64;

/** |x| @ (2 · identity): something for more than one thread. */
function makeOnnx(): Uint8Array {
  const identity = Array.from({ length: width ** 2 }, (_, index) => (index % (width + 1) === 0 ? 2 : 0));
  return encodeModel({
    input: [value('x', 'float32', [width, width])],
    output: [value('y', 'float32', [width, width])],
    initializer: [floatTensor('w', [width, width], identity)],
    node: [node('Abs', ['x'], ['a']), node('MatMul', ['a', 'w'], ['y'])],
  });
}

/** |x| as OpenVINO writes it. */
function makeIr(): string {
  const dims = `<dim>${width}</dim><dim>${width}</dim>`;
  const port = (id: number, names = '') => `<port id="${id}" precision="FP32"${names}>${dims}</port>`;
  return `<?xml version="1.0"?>
<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="${width},${width}" element_type="f32"/>
<output>${port(0, ' names="x"')}</output></layer>
<layer id="1" name="y" type="Abs" version="opset1"><input>${port(0)}</input><output>${port(1, ' names="y"')}</output></layer>
<layer id="2" name="r" type="Result" version="opset1"><input>${port(0)}</input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>`;
}

/** Opens a model from what was shipped and from nothing else, with two threads, and says its first outputs. */
const script = `
import { importRuntime } from './node_modules/optimise-model/dist/runtimes/import-runtime.js';
const path = process.argv[2];
const options = { optimisation: 'all', prepacking: true };
const settings = { threads: 2, options, inference: 'f32', cacheFolder: null, names: null };
const session = await (await importRuntime('openvino')).openSession({ path }, settings);
const data = new Float32Array(${width * width}).fill(-3);
const { y } = await session.run({ x: { type: 'float32', dims: [${width}, ${width}], data } });
console.log(y.data[0], y.data.at(-1));
await session.close();`;

const entries = { single: 'm.onnx', ir: 'm.xml', blob: 'm.blob' } as const;
type Layout = keyof typeof entries;
const expected = { single: '6 6', ir: '3 3', blob: '6 6' } as const;

async function placeAll(folder: string, layout: Layout): Promise<ReadonlyMap<string, string>> {
  const pack = await runtimePackFiles({ engine: 'openvino', layout }, process.platform, process.arch);
  const loader = await listLoaderFiles('openvino');
  const placed = new Map<string, string>();
  for (const { path, source } of [
    ...pack.files,
    ...loader.map(({ path, sourcePath = path }) => ({ path, source: sourcePath })),
  ]) {
    const place = path.startsWith('openvino/libs/') ? path : `node_modules/${path}`;
    await mkdir(dirname(join(folder, place)), { recursive: true });
    await copyFile(source, join(folder, place));
    placed.set(place, source);
  }
  await writeFile(join(folder, 'm.onnx'), makeOnnx());
  await writeFile(join(folder, 'm.xml'), makeIr());
  await writeFile(join(folder, 'm.bin'), '');
  await writeFile(join(folder, 'main.mjs'), script);
  return placed;
}

async function runIn(folder: string, layout: Layout): Promise<string> {
  const env = { OPENVINO_LIB_PATH: join(folder, 'openvino', 'libs') };
  const program = [join(folder, 'main.mjs'), join(folder, entries[layout])];
  const { stdout } = await promisify(execFile)(process.execPath, program, { env, cwd: folder });
  return stdout.trim();
}

async function writeBlob(folder: string): Promise<void> {
  const target = join(folder, 'm.blob');
  await exportBlobIsolated({
    modelPath: join(folder, 'm.onnx'),
    target,
    inference: 'f32',
    timeoutMs: 60_000,
  });
}

describe('the runtime pack of OpenVINO', () => {
  it.each(['single', 'ir', 'blob'] as const)(
    'and the loader are all it takes to run %s, and no library is too much',
    async (layout) => {
      const folder = await tempFolder();
      const placed = await placeAll(folder, layout);
      if (layout === 'blob') await writeBlob(folder);
      expect(await runIn(folder, layout)).toBe(expected[layout]);
      const libraries = [...placed].filter(([path]) => /\.so(\.|$)|\.node$|koffi\/.*\.js$/.test(path));
      expect(libraries.length).toBeGreaterThan(7);
      for (const [path, source] of libraries) {
        await rm(join(folder, path));
        await expect(runIn(folder, layout), path).rejects.toThrow();
        await copyFile(source, join(folder, path));
      }
    },
  );

  it('holds the reader of the format alone, and its size is that of its files', async () => {
    const sizes: Record<string, number> = {};
    for (const layout of layouts) {
      const { version, files } = await runtimePackFiles({ engine: 'openvino', layout }, 'linux', 'x64');
      expect(version).toBe('2026.4.1');
      const readers = files.flatMap(({ path }) => /_(onnx|ir)_frontend/.exec(path)?.[1] ?? []);
      expect(readers).toEqual(layout === 'ir' || layout === 'blob' ? ['ir'] : ['onnx']);
      expect(files.map(({ path }) => path)).toEqual(files.map(({ path }) => path).toSorted());
      sizes[layout] = files.reduce((sum, file) => sum + file.sizeBytes, 0) / 1e6;
    }
    // The reader of ONNX is 6.83 MB, that of IR 0.64.
    expect(sizes.ir).toBeGreaterThan(80);
    expect((sizes.single ?? 0) - (sizes.ir ?? 0)).toBeCloseTo(6.19, 1);
    expect([sizes.external, sizes.blob]).toEqual([sizes.single, sizes.ir]);
  });

  it('is none for a machine that the one found here is not for', async () => {
    await expect(
      runtimePackFiles({ engine: 'openvino', layout: 'ir' }, 'linux', 'arm64'),
    ).rejects.toMatchObject({
      code: 'runtime-missing',
      facts: { engine: 'openvino', platform: 'linux/arm64', reason: expect.stringContaining('linux/x64') },
    });
  });
});

describe('an OpenVINO that is laid out otherwise', () => {
  /** Conda's and Intel's: links without numbers, plugins a folder lower, TBB elsewhere. */
  it('is packed by the names that its libraries are asked for by', async () => {
    const real = dirname(process.env.OPENVINO_LIB_PATH ?? '');
    const root = join(await tempFolder(), 'runtime');
    const folder = join(root, 'lib', 'intel64');
    const tbb = join(root, '3rdparty', 'tbb', 'lib');
    const names = await readdir(real);
    const put = async (name: string, into: string, as = name) => {
      await mkdir(into, { recursive: true });
      await copyFile(join(real, name), join(into, as));
    };
    for (const name of names.filter((each) => /^libopenvino(_c|_ir_frontend)?\.so/.test(each))) {
      await put(name, folder, name.replace('2641', '2026.4.1'));
      await put(name, folder);
      await put(name, folder, name.replace('.2641', ''));
    }
    await put('libopenvino_intel_cpu_plugin.so', join(folder, 'openvino-2026.4.1'));
    await put('libtbb.so.12', tbb, 'libtbb.so.12.13');
    await put('libtbb.so.12', tbb);
    process.env.OPENVINO_LIB_PATH = folder;
    const { files } = await runtimePackFiles({ engine: 'openvino', layout: 'ir' }, 'linux', 'x64');
    expect(files.map(({ path }) => path).filter((path) => path.startsWith('openvino/'))).toEqual([
      expect.stringMatching(/^openvino\/libs\/libopenvino\.so\.2641$/),
      expect.stringMatching(/^openvino\/libs\/libopenvino_c\.so/),
      'openvino/libs/libopenvino_ir_frontend.so.2641',
      'openvino/libs/libtbb.so.12',
      'openvino/libs/openvino-2026.4.1/libopenvino_intel_cpu_plugin.so',
    ]);
    await rm(tbb, { recursive: true });
    await expect(
      runtimePackFiles({ engine: 'openvino', layout: 'ir' }, 'linux', 'x64'),
    ).rejects.toMatchObject({
      code: 'runtime-unusable',
      facts: { reason: expect.stringContaining('libtbb is not in') },
    });
  });
});
