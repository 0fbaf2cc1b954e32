import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CheckedArtifact, type CheckOptions, checkBudgets } from '../../src/check/check-budgets.js';
import type { MeasuredFile } from '../../src/check/measured-file.js';
import { resolveLimits } from '../../src/check/resolve-limits.js';
import type { ShippedRuntime } from '../../src/check/shipped-runtime.js';
import { checkStep } from '../../src/check/step.js';
import { usualDeliveries } from '../../src/lib/delivery.js';
import { quietContext } from '../../src/lib/work-context.js';

const mebibyte = 1024 ** 2;
let folder: string;
let sourcePath: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-'));
  sourcePath = join(folder, 'noise');
  // The estimate samples this stand-in; sizes are stated, so that no test writes hundreds of MiB.
  await writeFile(sourcePath, Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 251)));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const opened = { engine: 'onnxruntime', layout: 'single' } as const;
const named = (variantId: string) => ({
  subject: variantId,
  variantId,
  ...opened,
  path: `out/${variantId}`,
});

/** A runtime of 46 MiB, and a loader of one. */
const shipped: ShippedRuntime = {
  engine: 'onnxruntime',
  layouts: ['single', 'external'],
  pack: { version: '1.30.0', files: [{ path: 'libonnxruntime.so.1', sizeBytes: 46 * mebibyte }] },
  missing: '',
  remedy: null,
  loaderFiles: [{ path: 'loader.js', sizeBytes: mebibyte }],
};

function artifact(sizeBytes: number, variantId = 'fp16.single'): CheckedArtifact {
  const files = [{ path: 'model.onnx', sizeBytes, sourcePath }];
  return {
    ...named(variantId),
    sizeBytes,
    expandedSizeBytes: 2 * sizeBytes,
    sessionSizeBytes: 2 * sizeBytes,
    files,
  };
}

/** The same with a file whose bytes the estimate can read. */
function readFrom(path: string, { pack, loaderFiles, ...rest }: ShippedRuntime): ShippedRuntime {
  const read = (files: readonly MeasuredFile[]) => files.map((file) => ({ ...file, sourcePath: path }));
  return { ...rest, pack: pack && { ...pack, files: read(pack.files) }, loaderFiles: read(loaderFiles) };
}

function options(artifacts: readonly CheckedArtifact[], more: Partial<CheckOptions> = {}): CheckOptions {
  return {
    artifacts,
    deliveries: usualDeliveries,
    mountMode: 'copy',
    limits: resolveLimits({ profile: 'lambda-zip', ephemeralMiB: 512, memoryMiB: null }),
    shipped: [readFrom(sourcePath, shipped)],
    ...more,
  };
}

/** A runtime of 87 MiB that reads IR, and a loader of one. */
function openvino(): ShippedRuntime {
  const files = [{ path: 'libopenvino.so.2641', sizeBytes: 87 * mebibyte }];
  const pack = { version: '2026.4.1', files };
  return readFrom(sourcePath, { ...shipped, engine: 'openvino', layouts: ['ir'], pack });
}

const verdicts = async (asked: CheckOptions) =>
  Object.fromEntries((await checkBudgets(asked)).rows.map((row) => [row.delivery, row.verdict]));

describe('budgets of a variant by delivery', () => {
  test('let the study’s FP16 model into a layer beside the pruned runtime', async () => {
    expect(await verdicts(options([artifact(166_400_000)]))).toEqual({
      's3-copy': 'pass',
      layer: 'pass',
      lazy: 'pass',
      stream: 'pass',
    });
  });

  test('keep the study’s FP32 model out of a layer, and it still ships by s3-copy', async () => {
    expect(await verdicts(options([artifact(332_900_000)]))).toEqual({
      's3-copy': 'pass',
      layer: 'fail',
      lazy: 'pass',
      stream: 'fail',
    });
  });

  test('count runtime and loader always, and the artifact for a layer only', async () => {
    const { rows } = await checkBudgets(options([artifact(10 * mebibyte)]));
    const used = rows.map((row) => [row.delivery, row.lines[0]?.budget, row.lines[0]?.usedBytes]);
    expect(used).toEqual([
      ['s3-copy', 'unzipped', 47 * mebibyte],
      ['layer', 'unzipped', 57 * mebibyte],
      ['lazy', 'unzipped', 47 * mebibyte],
      ['stream', 'unzipped', 47 * mebibyte],
    ]);
  });

  test('count what each delivery writes to ephemeral storage: the artifact, its expanded form, or nothing', async () => {
    const asked = ['s3-copy', 'url', 'mount', 'stream', 'layer', 'lazy'] as const;
    const written = async (mountMode: 'copy' | 'direct') => {
      const { rows } = await checkBudgets(
        options([artifact(10 * mebibyte)], { deliveries: asked, mountMode }),
      );
      return rows.map((row) => row.lines.find((line) => line.budget === 'ephemeral')?.usedBytes ?? null);
    };
    const [own, expanded] = [10 * mebibyte, artifact(10 * mebibyte).expandedSizeBytes];
    expect(await written('copy')).toEqual([own, own, own, expanded, null, null]);
    expect(await written('direct')).toEqual([own, own, null, expanded, null, null]);
  });

  test('of OpenVINO’s own formats count what is streamed as it is, and a session by the FP32 model', async () => {
    const sizes = { sizeBytes: 172, expandedSizeBytes: 172, sessionSizeBytes: 344 };
    const countedOf = async (layout: 'ir' | 'blob') => {
      const own = {
        ...artifact(172),
        ...named('fp16.openvino'),
        engine: 'openvino',
        layout,
        ...sizes,
      } as const;
      const loaded = { ...openvino(), layouts: ['ir', 'blob'] } as const;
      const asked = { deliveries: ['lazy', 'stream'], shipped: [loaded] } as const;
      const { rows } = await checkBudgets(options([own], asked));
      return rows.map(({ lines }) => lines[1]?.counted);
    };
    const own = { what: 'artifact in memory', sizeBytes: 172 };
    const session = 'session, estimated as the FP32 size';
    const streamed = [{ what: 'fp16.openvino as it is', sizeBytes: 172 }];
    expect(await countedOf('ir')).toEqual([[own, { what: session, sizeBytes: 344 }], streamed]);
    const unknown = `${session}; what a compiled model has besides is not known`;
    expect(await countedOf('blob')).toEqual([[own, { what: unknown, sizeBytes: 344 }], streamed]);
  });

  test('fail exactly at 262,144,000 bytes and pass one byte below', async () => {
    const room = 262_144_000 - 47 * mebibyte;
    const [atLimit] = (await checkBudgets(options([artifact(room)], { deliveries: ['layer'] }))).rows;
    expect(atLimit).toMatchObject({ verdict: 'fail', reason: expect.stringContaining('at limit') });
    const [below] = (await checkBudgets(options([artifact(room - 1)], { deliveries: ['layer'] }))).rows;
    expect(below).toMatchObject({ verdict: 'pass', reason: expect.stringContaining('1 B left') });
  });

  test('count a model with its sidecar against ephemeral storage', async () => {
    const files = [
      { path: 'model.onnx', sizeBytes: 1_048_576, sourcePath },
      { path: 'model.onnx.data', sizeBytes: 629_145_600, sourcePath },
    ];
    const big = {
      ...named('fp32.external'),
      sizeBytes: 630_194_176,
      expandedSizeBytes: 630_194_176,
      sessionSizeBytes: 630_194_176,
      files,
    };
    const result = await checkBudgets(options([big], { deliveries: ['s3-copy'] }));
    expect(result.rows[0]?.verdict).toBe('fail');
    expect(result.findings).toContainEqual(
      expect.objectContaining({
        code: 'budget-exceeded',
        severity: 'error',
        facts: expect.objectContaining({
          budget: 'ephemeral',
          usedBytes: 630_194_176,
          limitBytes: 536_870_912,
          leftBytes: -93_323_264,
        }),
      }),
    );
    const limits = resolveLimits({ profile: 'lambda-zip', ephemeralMiB: 1024, memoryMiB: null });
    expect(await verdicts(options([big], { deliveries: ['s3-copy'], limits }))).toEqual({
      's3-copy': 'pass',
    });
  });

  test('make memory for lazy a finding while it is an estimate, with what is needed and what there is', async () => {
    const limits = resolveLimits({ profile: 'lambda-zip', ephemeralMiB: 512, memoryMiB: 256 });
    const result = await checkBudgets(options([artifact(100 * mebibyte)], { deliveries: ['lazy'], limits }));
    expect(result.rows[0]?.verdict).toBe('pass');
    expect(result.findings).toContainEqual(
      expect.objectContaining({
        code: 'memory-needed',
        severity: 'warning',
        facts: expect.objectContaining({
          neededBytes: 300 * mebibyte,
          limitBytes: 256 * mebibyte,
          isStated: true,
        }),
      }),
    );
  });

  test.each([
    ['the function has', 256, 257 * mebibyte, 256 * mebibyte],
    ['any function can have', null, 10_241 * mebibyte, 10_240 * mebibyte],
  ])(
    'fail lazy when the artifact alone is more than the memory %s',
    async (_title, memoryMiB, used, limit) => {
      const limits = resolveLimits({ profile: 'lambda-zip', ephemeralMiB: 512, memoryMiB });
      const asked = options([artifact(used)], { deliveries: ['lazy'], limits });
      const { rows, findings } = await checkBudgets(asked);
      expect(rows).toMatchObject([
        { verdict: 'fail', reason: expect.stringContaining('does not fit: memory') },
      ]);
      expect(findings).toMatchObject([
        {
          code: 'budget-exceeded',
          severity: 'error',
          facts: { budget: 'memory', usedBytes: used, limitBytes: limit },
          remedy: expect.stringContaining('--memory-mib'),
        },
      ]);
      const atLimit = options([artifact(limit)], { deliveries: ['lazy'], limits });
      expect(await verdicts(atLimit)).toEqual({ lazy: 'pass' });
    },
  );

  test('say what lazy needs even when no memory is stated', async () => {
    const { findings } = await checkBudgets(options([artifact(mebibyte)], { deliveries: ['lazy'] }));
    expect(findings).toMatchObject([
      { code: 'memory-needed', severity: 'info', facts: { limitBytes: 10_737_418_240, isStated: false } },
    ]);
  });

  test('make a zip beyond a direct upload a warning that names S3, and the row still passes', async () => {
    const limits = { ...options([]).limits, zippedBytes: 100_000 };
    const result = await checkBudgets(options([artifact(200 * mebibyte)], { deliveries: ['layer'], limits }));
    expect(result.rows[0]?.verdict).toBe('pass');
    expect(result.findings).toMatchObject([
      { code: 'zip-beyond-direct-upload', severity: 'warning', remedy: expect.stringContaining('S3') },
    ]);
  });

  test('list the runtime packs file by file', async () => {
    const { runtimePacks } = await checkBudgets(options([]));
    expect(runtimePacks).toEqual([
      {
        engine: 'onnxruntime',
        layouts: ['single', 'external'],
        version: '1.30.0',
        files: [{ path: 'libonnxruntime.so.1', sizeBytes: 46 * mebibyte }],
        sizeBytes: 46 * mebibyte,
      },
    ]);
  });

  test('count each artifact with the runtime of its engine and layout', async () => {
    const ir = { ...artifact(10 * mebibyte, 'fp32.openvino.ir'), engine: 'openvino', layout: 'ir' } as const;
    const asked = options([artifact(10 * mebibyte), ir], { deliveries: ['layer'] });
    const { rows, runtimePacks } = await checkBudgets({ ...asked, shipped: [...asked.shipped, openvino()] });
    expect(rows.map((row) => row.lines[0]?.usedBytes)).toEqual([57 * mebibyte, 98 * mebibyte]);
    expect(rows[1]?.lines[0]?.counted.map(({ what }) => what)).toEqual([
      'runtime pack openvino 2026.4.1 (1 file)',
      'loader (1 file)',
      'artifact fp32.openvino.ir (1 file)',
    ]);
    expect(runtimePacks.map(({ engine, layouts }) => [engine, ...layouts])).toEqual([
      ['onnxruntime', 'single', 'external'],
      ['openvino', 'ir'],
    ]);
  });

  test('are unknown where the engine is not installed here, and the other artifacts are judged all the same', async () => {
    const ir = { ...artifact(10 * mebibyte, 'fp32.openvino.ir'), engine: 'openvino', layout: 'ir' } as const;
    const huge = {
      ...artifact(600 * mebibyte, 'fp16.openvino.ir'),
      engine: 'openvino',
      layout: 'ir',
    } as const;
    const asked = options([artifact(10 * mebibyte), ir, huge], { deliveries: ['layer', 's3-copy', 'lazy'] });
    const missing = { ...openvino(), pack: null, missing: 'There is none.', remedy: 'Install it.' };
    const result = await checkBudgets({ ...asked, shipped: [...asked.shipped, missing] });
    expect(result.rows.map((row) => row.verdict)).toEqual([
      ...['pass', 'pass', 'pass'],
      ...['unknown', 'unknown', 'unknown'],
      // The artifact alone is more than any of these hold.
      ...['fail', 'fail', 'unknown'],
    ]);
    expect(result.rows[3]).toMatchObject({
      reason: 'cannot be judged: no openvino for linux/x64 is here',
      lines: [],
    });
    expect(result.runtimePacks).toHaveLength(1);
    expect(result.findings.filter(({ code }) => code === 'budget-unknown')).toMatchObject([
      {
        severity: 'error',
        facts: { variantId: 'fp32.openvino.ir', engine: 'openvino' },
        remedy: 'Install it.',
      },
      { severity: 'error', facts: { variantId: 'fp16.openvino.ir' } },
    ]);
  });

  test('stop when they are told to', async () => {
    const context = { ...quietContext(), signal: AbortSignal.abort(new Error('stop')) };
    await expect(checkBudgets(options([artifact(1)]), context)).rejects.toThrow('stop');
  });
});

describe('the check step', () => {
  test('has a key that follows sizes and digests, and not where files lie', () => {
    const here = checkStep({ ...options([artifact(10)]), artifactDigests: { 'fp16.single': 'a' } });
    const moved = artifact(10);
    const there = checkStep({
      ...options([{ ...moved, files: moved.files.map((file) => ({ ...file, sourcePath: '/elsewhere' })) }]),
      artifactDigests: { 'fp16.single': 'a' },
    });
    const changed = checkStep({ ...options([artifact(10)]), artifactDigests: { 'fp16.single': 'b' } });
    expect(there.key).toEqual(here.key);
    expect(changed.key).not.toEqual(here.key);
  });

  test('says in its line what does not fit', async () => {
    const step = checkStep({ ...options([artifact(332_900_000)]), artifactDigests: {} });
    const { line } = await step.call(quietContext());
    expect(line).toBe('2 of 4 fit; not: fp16.single by layer, fp16.single by stream');
  });
});
