import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { convertModel } from '../../../src/convert/convert-model.js';
import type { ConvertOptions, ConvertResult } from '../../../src/convert/convert-options.js';
import { type OvcJob, runOvc } from '../../../src/convert/openvino/run-ovc.js';
import { quietContext, type WorkContext } from '../../../src/lib/work-context.js';
import type { OpenvinoInstallation } from '../../../src/runtimes/openvino/find-openvino.js';
import { readArtifactFolder } from '../../../src/store/artifact-record.js';
import { encode, floats, graph, model, node, ramp, value } from '../../fixtures/build-model.js';
import { catchError } from '../../fixtures/catch-error.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';
import { openvinoOptions, weightyModel, width } from '../../fixtures/weighty-model.js';
import { openvino as installed } from '../../services/openvino.mjs';
import { requireOpenvino, type TestOpenvino } from '../../services/require-openvino.js';

const tempFolder = useTempFolder();
let openvino: TestOpenvino;
let folder = '';
let source = '';

const before = { ...process.env };
beforeEach(async (context) => {
  openvino = await requireOpenvino(context);
  folder = await tempFolder();
  source = join(folder, 'source.onnx');
  await writeFile(source, encode(weightyModel));
});
function restoreEnvironment(): void {
  for (const name of ['OPENVINO_LIB_PATH', 'HOME', 'PYTHONPATH']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
}
afterEach(restoreEnvironment);

function options(more: Partial<ConvertOptions> = {}): ConvertOptions {
  return openvinoOptions(folder, more);
}

/** The library without the package that it came with. */
async function leavePackage(): Promise<void> {
  const libraries = join(folder, 'libraries');
  await mkdir(libraries);
  const from = dirname(openvino.libraryPath);
  for (const name of await readdir(from)) await symlink(join(from, name), join(libraries, name));
  const own = join(libraries, 'copied');
  await mkdir(own);
  await copyFile(openvino.libraryPath, join(own, basename(openvino.libraryPath)));
  process.env.OPENVINO_LIB_PATH = join(own, basename(openvino.libraryPath));
}

/** What the converter is asked, without what follows. */
function plan(more: Partial<OpenvinoInstallation> = {}): OvcJob {
  const { libraryPath, python } = openvino;
  const found = { libraryPath, folder: dirname(libraryPath), version: '2026.4.1', foundBy: 'a test', python };
  const targets = [{ path: join(folder, 'model.xml'), isHalf: false }];
  return { installation: { ...found, ...more }, modelPath: source, folder, targets };
}

describe('an IR', () => {
  /** What one conversion made, for the tests that only read it. */
  let made: { readonly folder: string; readonly home: string; readonly result: ConvertResult };
  const done: number[] = [];

  beforeAll(async () => {
    const libraryPath = await installed.find();
    if (libraryPath === undefined) return;
    const parent = await mkdtemp(join(tmpdir(), 'optimise-model-test-'));
    const home = join(parent, 'home');
    await mkdir(home);
    await writeFile(join(parent, 'source.onnx'), encode(weightyModel));
    Object.assign(process.env, { HOME: home, OPENVINO_LIB_PATH: libraryPath });
    const progress: WorkContext['progress'] = (event) => done.push(event.done);
    const context = { ...quietContext(), progress };
    const result = await convertModel(openvinoOptions(parent), context).finally(restoreEnvironment);
    made = { folder: parent, home, result };
    return () => rm(parent, { recursive: true });
  });

  it('has half the weights, the names of the model, and opens', async () => {
    const { record, loadCheck, sizeBytes } = made.result;
    expect(loadCheck).toBe('opened');
    expect(record).toMatchObject({
      variant: { id: 'fp16-weights.openvino.ir' },
      entry: 'model.xml',
      files: [{ path: 'model.bin' }, { path: 'model.xml' }],
      requires: {
        ...{ engine: 'openvino', minimumVersion: '2025.1.0', architecture: 'any', boundTo: null },
        names: { inputs: ['x'], outputs: ['y'] },
      },
      provenance: { options: { precision: 'fp16-weights', layout: 'ir', inference: 'f32' } },
    });
    expect(Object.keys(record?.provenance.options ?? {})).toEqual([
      ...['precision', 'layout', 'engine', 'inference', 'openvinoVersion'],
    ]);
    expect(record?.files[0]?.sizeBytes).toBe((width * width + width) * 2);
    expect(record?.expandedSizeBytes).toBe(sizeBytes);
    expect((await readArtifactFolder(join(made.folder, 'artifact'))).record).toEqual(record);
    expect((await readdir(join(made.folder, 'artifact'))).sort()).toEqual([
      ...['artifact.json', 'model.bin', 'model.xml'],
    ]);
  });

  it('says which numbers it clamped or lost, of constants by the names that they had', () => {
    const { weights: totals, findings } = made.result;
    expect(totals).toMatchObject({
      ...{ storedAsFp16: 2, values: width * width + width, clampedValues: 3, vanishedValues: 1 },
      ...{ losslessTensors: 1, keptFp32: [] },
    });
    expect(totals.maxRelativeError).toBeGreaterThan(0.9);
    const clamped = findings.find(({ code }) => code === 'constants-clamped');
    expect(clamped).toMatchObject({
      severity: 'warning',
      facts: { valueCount: 3, nonFiniteCount: 1, constantCount: 1, largest: 2e6 },
    });
    expect(findings.map(({ code }) => code)).toEqual(['constants-clamped', 'constants-vanished']);
  });

  it('of fp32 has all numbers as they were', async () => {
    const { weights: totals, record, findings } = await convertModel(options({ precision: 'fp32' }));
    expect(totals).toMatchObject({ storedAsFp16: 0, clampedValues: 0 });
    expect(findings).toEqual([]);
    expect(record?.files[0]?.sizeBytes).toBe((width * width + width) * 4);
  });

  it('keeps a constant most of which is outside FP16, and says so', async () => {
    const large = floats(
      'w',
      [width],
      Array.from({ length: width }, (_, index) => 1e6 + index),
    );
    const main = graph({
      inputs: [value('x', [1, width])],
      outputs: [value('y', [1, width])],
      nodes: [node('Mul', ['x', 'w'], ['h']), node('Add', ['h', 'b'], ['y'])],
      initializers: [large, ramp('b', [width])],
    });
    await writeFile(source, encode(model(main)));
    const { weights: totals, findings } = await convertModel(options());
    expect(totals.keptFp32).toMatchObject([{ reason: 'mostly outside FP16', sizeBytes: width * 4 }]);
    expect(totals.overflowingValues).toBe(width);
    expect(findings.map(({ code }) => code)).toEqual(['constants-kept-fp32']);
  });

  it('has the same bytes each time, wherever the model lies and whatever it is called', async () => {
    const other = join(folder, 'elsewhere', 'other.onnx');
    await mkdir(dirname(other));
    await copyFile(source, other);
    const second = await convertModel(options({ model: other, out: join(folder, 'second') }));
    expect(second.record?.digest).toBe(made.result.record?.digest);
  });

  it('leaves nothing in the home folder, and says nothing to anybody', async () => {
    expect(await readdir(made.home)).toEqual([]);
    expect(await readFile(join(made.folder, 'artifact/model.xml'), 'utf8')).not.toContain('source.onnx');
  });

  it('is read from a model with a data file as well', async () => {
    const out = join(folder, 'external');
    await convertModel(options({ precision: 'fp32', engine: 'onnxruntime', layout: 'external', out }));
    const apart = await convertModel(options({ model: join(out, 'model.onnx') }));
    expect(apart.record?.files[0]?.sha256).toBe(made.result.record?.files[0]?.sha256);
  });

  it('says how far its conversion is', () => {
    expect(done).toEqual([0, 1, 2, 3]);
  });
});

describe('a conversion to an IR', () => {
  it('names the operators that OpenVINO has not, and leaves nothing', async () => {
    const main = graph({
      inputs: [value('x', [2])],
      outputs: [value('y', [2])],
      nodes: [node('Strange', ['x'], ['y'], {}, 'com.example')],
    });
    await writeFile(source, encode(model(main, { domains: { 'com.example': 1 } })));
    const error = await catchError(() => convertModel(options()));
    expect(error).toMatchObject({
      ...{ code: 'openvino-refused-model', exitCode: 2 },
      facts: { operators: ['com.example.Strange'], isOptimised: false },
    });
    expect(await readdir(folder)).toEqual(['source.onnx']);
  });

  it('says what to install where OpenVINO came without its converter', async () => {
    await leavePackage();
    const error = await catchError(() => convertModel(options()));
    expect(error).toMatchObject({ code: 'ovc-missing', exitCode: 3 });
    expect(error.remedy).toContain('python3 -m pip install openvino');
    expect(await readdir(folder)).not.toContain('artifact');
  });

  it('imports nothing from where it is written, and a Python that prints when it starts is no harm', async () => {
    const startUp = join(folder, 'start-up');
    await mkdir(startUp);
    await writeFile(join(startUp, 'sitecustomize.py'), 'print("{}")\nprint("loaded")\n');
    await writeFile(join(folder, 'json.py'), 'raise SystemExit(7)\n');
    process.env.PYTHONPATH = startUp;
    expect(await runOvc(plan(), quietContext())).toMatch(/^2026\.4\.1-/);
  });

  it('is not made by a converter of another release than the library', async () => {
    const error = await catchError(() => runOvc(plan({ version: '2025.3.0' }), quietContext()));
    expect(error).toMatchObject({ code: 'ovc-missing', exitCode: 3 });
    expect(error.message).toMatch(/has that of 2026\.4\.1, and the library is 2025\.3\.0/);
  });

  it('stops at once when it is told to, and leaves nothing', async () => {
    const controller = new AbortController();
    const progress: WorkContext['progress'] = () => controller.abort(new Error('enough'));
    const stopped = convertModel(options(), { signal: controller.signal, progress });
    await expect(stopped).rejects.toThrow('enough');
    expect(await readdir(folder)).toEqual(['source.onnx']);
  });

  it('is one error on a disk that is full, and leaves nothing there', async (context) => {
    const small = join(folder, 'small');
    await mkdir(small);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', small], { stdio: 'ignore' });
    } catch {
      return context.skip('this user may not mount a file system');
    }
    try {
      const error = await catchError(() => convertModel(options({ out: join(small, 'artifact') })));
      expect(error).toMatchObject({ code: 'ovc-failed', exitCode: 3 });
      expect(await readdir(small)).toEqual([]);
    } finally {
      execFileSync('umount', [small]);
    }
  });

  it.each(['model.xml', 'model.bin', 'model.onnx'])('writes no bare %s', async (name) => {
    const error = await catchError(() => convertModel(options({ out: join(folder, name) })));
    expect(error.code).toBe('output-refused');
  });

  it('refuses what there is not: precision fp16, or an IR for onnxruntime', async () => {
    for (const more of [{ precision: 'fp16' }, { engine: 'onnxruntime' }] as const) {
      expect(await catchError(() => convertModel(options(more)))).toMatchObject({
        ...{ code: 'usage-wrong', exitCode: 2 },
      });
    }
  });
});
