import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { importLambdaRuns } from '../../../src/bench/import/import-lambda-runs.js';
import type { ImportResult, StudyMetrics } from '../../../src/bench/import/import-result.js';
import { OptimiseModelError } from '../../../src/messages/error.js';
import { importResultSchema } from '../../../src/report/documents/import-result.js';
import { renderImportText, writeEnvironment } from '../../../src/report/text/import-text.js';

const logs = join(import.meta.dirname, 'logs');
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'optimise-model-import-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const allFiles = [
  'docker_lambda_vanilla_pytorch.events.json',
  'docker_lambda_vanilla_pytorch.traces.json',
  'docker_lambda_pytorch_pickle.tail.txt',
  'src_lambda_onnx_normal.insights.json',
  'src_lambda_openvino_normal.insights.csv',
  'src_lambda_onnx_snapstart.events.json',
  'src_lambda_onnx_snapstart.traces.json',
  'src_lambda_openvino_snapstart.export.gz',
];

function run(files: readonly string[], more: { functionName?: string; skipIncomplete?: boolean } = {}) {
  const { functionName = null, skipIncomplete = false } = more;
  const paths = files.map((file) => (file.includes('/') ? file : join(logs, file)));
  return importLambdaRuns({ files: paths, functionName, skipIncomplete });
}

async function write(name: string, text: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function refusal(promise: Promise<unknown>): Promise<OptimiseModelError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof OptimiseModelError) return error;
  throw new Error(`no refusal: ${String(error)}`);
}

/** Medians of a row: the six metrics in the study's order, then the environment. */
function medians(result: ImportResult, functionName: string, state = 'cold'): readonly (number | null)[] {
  const row = result.rows.find((each) => each.functionName === functionName && each.state === state);
  if (row === undefined) throw new Error(`no row of ${functionName}, ${state}`);
  const names: readonly (keyof StudyMetrics)[] = [
    'callingToLoadModelMs',
    'loadModelMs',
    'initialInferenceMs',
    'approxInferenceTimeMs',
    'callingLoadSumMs',
    'totalMetricMs',
  ];
  return [...names.map((name) => row.metrics[name]?.median ?? null), row.environmentMs?.median ?? null];
}

describe('logs of the six functions of the study', () => {
  it('give the six metrics and the environment, worked out by hand', async () => {
    const result = await run(allFiles);
    // X-Ray alone: called 0, process 3.5 s, load 6.6 to 9.1 s, first 9.2 to 10.0 s, 50 more in 5 s.
    expect(medians(result, 'docker_lambda_vanilla_pytorch')).toEqual([
      6600, 2500, 800, 100, 9100, 9900, 3500,
    ]);
    // The handler's line: called 0, process 4.0 s, load at 6.25 s.
    expect(medians(result, 'docker_lambda_pytorch_pickle')).toEqual([
      6250, 3000, 900, 120, 9250, 10_150, 4000,
    ]);
    // Three starts: process at 300, 340, 380 ms, load 500 ms later, loads of 4.0, 4.2, 4.1 s.
    expect(medians(result, 'src_lambda_onnx_normal')).toEqual([840, 4100, 150, 51, 4980, 5130, 340]);
    expect(medians(result, 'src_lambda_openvino_normal')).toEqual([860, 2300, 210, 55, 3160, 3370, 310]);
    // Restored 1.0 s after the call, handler entered at 1.05 s; nothing is loaded.
    expect(medians(result, 'src_lambda_onnx_snapstart')).toEqual([1050, 0, 700, 52, 1050, 1750, 1000]);
    // Without X-Ray the environment of a restore is Restore Duration.
    expect(medians(result, 'src_lambda_openvino_snapstart')).toEqual([700, 0, 450, 56, 700, 1150, 640.5]);
  });

  it('tell the first call from the second, with its own row and no environment', async () => {
    const result = await run(allFiles);
    expect(medians(result, 'docker_lambda_vanilla_pytorch', 'warm')).toEqual([
      20,
      0,
      120,
      100,
      20,
      140,
      null,
    ]);
    expect(medians(result, 'docker_lambda_pytorch_pickle', 'warm')).toEqual([25, 0, 125, 121, 25, 150, null]);
    expect(medians(result, 'src_lambda_onnx_snapstart', 'warm')).toEqual([12, 0, 60, 51, 12, 72, null]);
  });

  it('say memory, start mode, restore, peak memory and spread', async () => {
    const { rows } = await run(allFiles);
    expect(rows.map((row) => [row.functionName, row.memoryMiB, row.startMode, row.state, row.calls])).toEqual(
      [
        ['docker_lambda_pytorch_pickle', 2048, 'on-demand', 'cold', 1],
        ['docker_lambda_pytorch_pickle', 2048, 'on-demand', 'warm', 1],
        ['docker_lambda_vanilla_pytorch', 4096, 'on-demand', 'cold', 1],
        ['docker_lambda_vanilla_pytorch', 4096, 'on-demand', 'warm', 1],
        ['src_lambda_onnx_normal', 4096, 'on-demand', 'cold', 3],
        ['src_lambda_onnx_snapstart', 4096, 'snapstart', 'cold', 1],
        ['src_lambda_onnx_snapstart', 4096, 'snapstart', 'warm', 1],
        ['src_lambda_openvino_normal', 4096, 'on-demand', 'cold', 1],
        ['src_lambda_openvino_snapstart', 4096, 'snapstart', 'cold', 1],
      ],
    );
    const onnx = rows.find((row) => row.functionName === 'src_lambda_onnx_normal');
    expect(onnx?.metrics.totalMetricMs).toMatchObject({ min: 4950, max: 5190, count: 3 });
    expect(onnx?.maxMemoryBytes).toBe(800 * 1024 ** 2);
    expect(rows.map((row) => row.restoreMs?.median ?? null)).toEqual([
      null,
      null,
      null,
      null,
      null,
      880,
      null,
      null,
      640.5,
    ]);
  });

  it('keep their own names beside one that was given for those without', async () => {
    const { rows } = await run(allFiles, { functionName: 'other' });
    expect(rows.map((row) => row.functionName)).not.toContain('other');
  });

  it('fit the published document, key by key', async () => {
    const result = await run(allFiles);
    expect(importResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(
      JSON.parse(JSON.stringify(result)),
    );
  });

  it('are shown as tables and as a snippet for the pipeline file', async () => {
    const text = renderImportText(await run(allFiles), null, { colour: false, width: 140 });
    expect(text).toMatchSnapshot();
    expect(text).toContain(
      "    s3-copy: { ms: 340, source: 'median of 3 cold starts of src_lambda_onnx_normal",
    );
  });

  it('give a snippet in which each figure is chosen by its cold starts, never one of an image or a restore', async () => {
    const { environments } = await run(allFiles);
    const { bench } = parse(writeEnvironment(environments)) as { bench: { environment: unknown } };
    expect(bench.environment).toEqual({
      's3-copy': { ms: 340, source: expect.stringContaining('onnx_normal') },
    });
    expect(writeEnvironment([])).toBe('');
    const restored = environments.filter((each) => each.startMode === 'snapstart');
    expect(parse(writeEnvironment(restored))).toEqual({ bench: { environment: {} } });
  });

  it('count what is of other kinds', async () => {
    const { files, findings } = await run(['docker_lambda_pytorch_pickle.tail.txt']);
    expect(files).toMatchObject([{ records: 6, ignored: 3 }]);
    expect(findings).toMatchObject([{ code: 'import-lines-ignored', facts: { ignored: 3 } }]);
  });
});

describe("the loader's line", () => {
  it('gives load, first inference and what comes before the load, when the handler leaves them to it', async () => {
    const result = await run(['src_lambda_node_loader.console.txt'], {
      functionName: 'src_lambda_node_loader',
    });
    // Process at 260 ms; start 80 and runtime 60 before the load of 1900 + 100.
    expect(medians(result, 'src_lambda_node_loader')).toEqual([400, 2000, 140, 48, 2400, 2540, 260]);
    expect(result.rows[0]).toMatchObject({ delivery: 'stream', startMode: 'on-demand', memoryMiB: 4096 });
  });

  it('of a restored process replaces the one that was logged when the snapshot was taken', async () => {
    const lines = (await readFile(join(logs, 'src_lambda_node_loader.console.txt'), 'utf8')).split('\n');
    const restored = (lines[1] ?? '')
      .replace('"status": "ready"', '"status": "ready", "restored": true')
      .replace('"firstInferenceMs": 140', '"firstInferenceMs": 155');
    const text = [lines[0], lines[1], restored, ...lines.slice(2)].join('\n');
    const file = await write('restored.txt', text.replaceAll('"on-demand"', '"snap-start"'));
    const report = text.split('\n').findIndex((line) => line.startsWith('REPORT'));
    expect(report).toBe(5);
    const restore = text
      .replaceAll('"on-demand"', '"snap-start"')
      .replace('Init Duration', 'Restore Duration');
    const result = await run([await write('restored-report.txt', restore)], { functionName: 'f' });
    expect(medians(result, 'f')).toEqual([400, 0, 155, 48, 400, 555, 2300]);
    expect((await refusal(run([file], { functionName: 'f' }))).facts.missing).toMatchObject([
      { field: 'environmentMs' },
    ]);
  });

  it('of a lazy model gives load and what comes before, so that what was read at init counts once', async () => {
    const text = await readFile(join(logs, 'src_lambda_node_loader.console.txt'), 'utf8');
    const lazy = text.replace('"delivery": "stream"', '"delivery": "lazy"');
    // The handler was entered at 500 ms, which holds what the loader had downloaded of the release.
    const file = await write('lazy.txt', lazy.replace('1764500600400', '1764500600500'));
    const result = await run([file], { functionName: 'f' });
    expect(medians(result, 'f')).toEqual([400, 2000, 140, 48, 2400, 2540, 260]);
    expect(result.rows[0]).toMatchObject({ delivery: 'lazy' });
  });

  it('may not know the start of the process: then the handler has to say when the load began', async () => {
    const text = await readFile(join(logs, 'src_lambda_node_loader.console.txt'), 'utf8');
    const later = text.replace('"startMs": 80', '"startMs": null');
    const result = await run([await write('later.txt', later)], { functionName: 'f' });
    expect(medians(result, 'f')).toEqual([400, 2000, 140, 48, 2400, 2540, 260]);
    const neither = await write(
      'neither.txt',
      later.replace(/"loadStartedAtMs": \d+/, '"loadStartedAtMs": null'),
    );
    expect((await refusal(run([neither], { functionName: 'f' }))).facts.missing).toMatchObject([
      { field: 'loadStartedAtMs' },
    ]);
  });

  it('of a provisioned process is of before the call, unless the model is lazy: then its load must be told apart', async () => {
    const text = await readFile(join(logs, 'src_lambda_node_loader.console.txt'), 'utf8');
    const provisioned = text.replaceAll('"on-demand"', '"provisioned-concurrency"');
    const result = await run([await write('provisioned.txt', provisioned)], { functionName: 'f' });
    expect(medians(result, 'f')).toEqual([400, 0, 140, 48, 400, 540, 0]);
    const lazy = await write('provisioned-lazy.txt', provisioned.replace('"stream"', '"lazy"'));
    expect((await refusal(run([lazy], { functionName: 'f' }))).facts.missing).toMatchObject([
      { field: 'loadModelMs' },
    ]);
  });

  it('counts a failed load, and keeps it out of every figure', async () => {
    const text = await readFile(join(logs, 'src_lambda_node_loader.console.txt'), 'utf8');
    const failed = text
      .replace('"status": "ready"', '"status": "failed"')
      .replace('"error": null', '"error": {"code": "download-corrupt", "what": "…"}');
    const file = await write('failed.log', failed);
    const result = await run([file], { functionName: 'f' });
    expect(result.rows).toMatchObject([{ calls: 1, failures: 1, metrics: { totalMetricMs: null } }]);
    expect(result.findings).toMatchObject([
      { code: 'import-lines-ignored' },
      { code: 'import-calls-failed', facts: { why: 'download-corrupt' } },
    ]);
  });
});

describe('rows', () => {
  async function writeStart(id: string, changes: Readonly<Record<string, string>>): Promise<string> {
    const text = await readFile(join(logs, 'src_lambda_node_loader.console.txt'), 'utf8');
    const changed = Object.entries(changes).reduce((all, [from, to]) => all.replace(from, to), text);
    return write(`${id}.txt`, changed.replaceAll('00000071-6373-11e7-a174-f31b3397f190', id));
  }

  it('are told apart by variant, delivery and threads, and so are the lines for the pipeline file', async () => {
    const files = [
      await writeStart('a-1', {}),
      await writeStart('a-2', { '1764500600260': '1764500600280' }),
      await writeStart('b-1', { '"stream"': '"s3-copy"', '1764500600260': '1764500600990' }),
      await writeStart('c-1', { '"fp16-weights.external"': '"fp32.single"' }),
      await writeStart('d-1', { '"threads": 2': '"threads": 4' }),
    ];
    const { rows, environments } = await run(files, { functionName: 'f' });
    expect(rows.map((row) => [row.variantId, row.delivery, row.threads, row.calls])).toEqual([
      ['fp16-weights.external', 's3-copy', 2, 1],
      ['fp16-weights.external', 'stream', 2, 2],
      ['fp16-weights.external', 'stream', 4, 1],
      ['fp32.single', 'stream', 2, 1],
    ]);
    expect(environments.map(({ delivery, ms, count }) => [delivery, ms, count])).toEqual([
      ['s3-copy', 990, 1],
      ['stream', 270, 2],
      ['stream', 260, 1],
      ['stream', 260, 1],
    ]);
    expect(environments[0]?.source).toContain('of f (fp16-weights.external) on Lambda');
  });

  it('of calls that do not say their delivery are rows of their own, under no other name', async () => {
    const failed =
      'REPORT RequestId: z-1\tDuration: 3000.00 ms\tBilled Duration: 3000 ms\tMemory Size: 4096 MB\tMax Memory Used: 500 MB\tInit Duration: 2300.00 ms\tStatus: timeout\n';
    const files = [await writeStart('a-1', {}), await write('timeout.txt', failed)];
    const { rows } = await run(files, { functionName: 'f' });
    expect(rows.map((row) => [row.delivery, row.calls, row.failures])).toEqual([
      [null, 1, 1],
      ['stream', 1, 0],
    ]);
  });
});

describe('what is missing', () => {
  it('is an error that names record, field and provider, for all of them at once', async () => {
    const error = await refusal(run(['docker_lambda_vanilla_pytorch.events.json']));
    expect(error.code).toBe('import-fields-missing');
    const { missing } = error.facts as {
      missing: readonly { field: string; record: number; provider: string }[];
    };
    expect(missing.map(({ field, record }) => `${record} ${field}`)).toEqual([
      '4 functionName',
      '4 calledAtMs',
      '4 loadModelMs',
      '4 initialInferenceMs',
      '4 approxInferenceTimeMs',
      '7 functionName',
      '7 calledAtMs',
      '7 initialInferenceMs',
      '7 approxInferenceTimeMs',
    ]);
    expect(error.message).toContain('AWS::Lambda');
    expect(error.exitCode).toBe(2);
  });

  it('is left out and told when that is asked for', async () => {
    const files = ['docker_lambda_vanilla_pytorch.events.json', 'src_lambda_openvino_normal.insights.csv'];
    const { rows, findings } = await run(files, { skipIncomplete: true });
    expect(rows.map((row) => row.functionName)).toEqual(['src_lambda_openvino_normal']);
    expect(findings).toMatchObject([
      { code: 'import-lines-ignored' },
      { code: 'import-incomplete-skipped', facts: { skipped: 2, invocations: 3 } },
    ]);
  });

  it('is an error of its own when nothing is left', async () => {
    const error = await refusal(run(['docker_lambda_vanilla_pytorch.events.json'], { skipIncomplete: true }));
    expect(error).toMatchObject({
      code: 'import-nothing-left',
      exitCode: 2,
      facts: { incomplete: 2, early: 0 },
    });
    expect(error.message).toContain('None of 2 invocations is left: 2 lack functionName');
  });

  it.each([
    ['calledAtMs', 'calledAtMs'],
    ['processStartedAtMs', 'environmentMs'],
    ['loadStartedAtMs', 'loadStartedAtMs'],
    ['loadMs', 'loadModelMs'],
    ['initialInferenceMs', 'initialInferenceMs'],
    ['furtherInferencesMs', 'approxInferenceTimeMs'],
  ])('is never 0: %s of the handler gone makes %s missing', async (key, field) => {
    const text = await readFile(join(logs, 'src_lambda_openvino_normal.insights.csv'), 'utf8');
    const file = await write(
      `without-${key}.csv`,
      text.replace(new RegExp(`""${key}"": [\\d.]+, `), '').replace(new RegExp(`, ""${key}"": [\\d.]+`), ''),
    );
    const error = await refusal(run([file]));
    expect(error.facts.missing).toMatchObject([{ field, file }]);
  });

  it('is told of a REPORT line too', async () => {
    const file = await write(
      'short.log',
      'REPORT RequestId: a-1\tDuration: 3.20 ms\tBilled Duration: 4 ms\n',
    );
    const error = await refusal(run([file]));
    expect(error).toMatchObject({
      code: 'import-record-wrong',
      facts: { field: 'Memory Size', record: 1, file },
    });
  });

  it('is everything when no record is of use', async () => {
    const file = await write('other.log', 'hello\n{"level":"INFO","message":"x"}\n');
    const error = await refusal(run([file]));
    expect(error).toMatchObject({ code: 'import-nothing-found', facts: { ignored: 2 } });
  });
});

describe('damaged files', () => {
  it('are refused by what they are', async () => {
    const whole = await readFile(join(logs, 'src_lambda_onnx_snapstart.events.json'), 'utf8');
    const cut = await write('cut.json', whole.slice(0, whole.length / 2));
    const packed = gzipSync('REPORT');
    const torn = await write('torn.gz', packed.subarray(0, packed.length - 6));
    const shapeless = await write('shapeless.json', '[{"a": 1}]');
    const noMessage = await write('no-message.csv', '@timestamp,@requestId\n2026,abc\n');
    for (const file of [cut, torn, shapeless, noMessage]) {
      expect(await refusal(run([file]))).toMatchObject({ code: 'import-file-wrong', facts: { file } });
    }
    expect((await refusal(run([join(folder, 'absent.json')]))).code).toBe('file-system-refused');
  });

  it('name the line of ours that is cut', async () => {
    const file = await write(
      'cut.log',
      'START RequestId: a Version: 1\n{"kind":"optimise-model.invocation","cold":tr',
    );
    expect(await refusal(run([file]))).toMatchObject({ code: 'import-record-wrong', facts: { record: 2 } });
  });

  it('name the field of ours that is no number', async () => {
    const text = await readFile(join(logs, 'docker_lambda_pytorch_pickle.tail.txt'), 'utf8');
    const file = await write('text.log', text.replace('"loadMs": 3000', '"loadMs": "3 s"'));
    const facts = { field: 'loadMs', record: 3, seen: '"3 s"' };
    expect(await refusal(run([file]))).toMatchObject({ code: 'import-record-wrong', facts });
  });

  it('that overlap count once, and two reports that differ are refused', async () => {
    const name = 'docker_lambda_pytorch_pickle.tail.txt';
    const copy = await write('copy.log', await readFile(join(logs, name), 'utf8'));
    expect((await run([name, copy])).rows.map((row) => row.calls)).toEqual([1, 1]);
    const text = await readFile(join(logs, name), 'utf8');
    const other = await write('other-report.log', text.replace('Duration: 10100.00', 'Duration: 10101.00'));
    expect((await refusal(run([name, other]))).code).toBe('import-record-twice');
  });
});

describe('clocks', () => {
  it('start with the attempt, not with the wait in the queue of asynchronous calls', async () => {
    const text = await readFile(join(logs, 'src_lambda_onnx_snapstart.traces.json'), 'utf8');
    const traces = JSON.parse(text) as { Traces: { Segments: { Document: string }[] }[] };
    const service = traces.Traces[0]?.Segments[1];
    if (service === undefined) throw new Error('no segment of the service');
    const document = JSON.parse(service.Document) as { start_time: number };
    const attempt = {
      id: '5',
      name: 'Attempt #1',
      start_time: document.start_time,
      end_time: document.start_time + 4.7,
    };
    const dwell = {
      id: '4',
      name: 'Dwell Time',
      start_time: document.start_time - 30,
      end_time: document.start_time,
    };
    const queued = { ...document, start_time: document.start_time - 30, subsegments: [dwell, attempt] };
    service.Document = JSON.stringify(queued);
    const file = await write('queued.json', JSON.stringify(traces));
    const result = await run(['src_lambda_onnx_snapstart.events.json', file]);
    expect(medians(result, 'src_lambda_onnx_snapstart')).toEqual([1050, 0, 700, 52, 1050, 1750, 1000]);
  });

  it('leave out a first call whose process was there before', async () => {
    const text = await readFile(join(logs, 'src_lambda_openvino_normal.insights.csv'), 'utf8');
    const file = await write(
      'early.csv',
      text.replace(/(""processStartedAtMs"": )\d+/, (_, key) => `${key}1764400000000`),
    );
    const other = 'src_lambda_onnx_normal.insights.json';
    const { rows, findings } = await run([file, other]);
    expect(rows.map((row) => row.functionName)).not.toContain('src_lambda_openvino_normal');
    expect(findings.map(({ code }) => code)).toContain('import-started-early');
    expect(await refusal(run([file]))).toMatchObject({ code: 'import-nothing-left', facts: { early: 1 } });
  });

  it('do not matter to provisioned concurrency, whose environment is no part of a call', async () => {
    const text = await readFile(join(logs, 'src_lambda_openvino_normal.insights.csv'), 'utf8');
    const provisioned = text
      .replace('on-demand', 'provisioned-concurrency')
      .replace(/(""processStartedAtMs"": )\d+/, (_, key) => `${key}1764400000000`);
    const result = await run([await write('provisioned.csv', provisioned)]);
    expect(result.rows).toMatchObject([{ startMode: 'provisioned', environmentMs: { median: 0 } }]);
    expect(medians(result, 'src_lambda_openvino_normal')).toEqual([860, 2300, 210, 55, 3160, 3370, 0]);
  });
});

describe('the runtime interface emulator', () => {
  it('is known by its REPORT line, whose initialisation and peak memory are not read', async () => {
    const id = 'b7b0a8a1-0000-4000-8000-000000000001';
    const line = (await readFile(join(logs, 'docker_lambda_pytorch_pickle.tail.txt'), 'utf8'))
      .split('\r\n')[2]
      ?.replace(/^.*?\{/, '{')
      .replace(/"requestId": "[^"]+"/, `"requestId": "${id}"`);
    const report = `REPORT RequestId: ${id}\tInit Duration: 0.21 ms\tDuration: 121.21 ms\tBilled Duration: 122 ms\tMemory Size: 2048 MB\tMax Memory Used: 2048 MB\t`;
    const file = await write(
      'rie.log',
      `START RequestId: ${id} Version: $LATEST\n${line}\nEND RequestId: ${id}\n${report}\n`,
    );
    const { rows, findings } = await run([file]);
    expect(rows).toMatchObject([{ initMs: null, maxMemoryBytes: null, memoryMiB: 2048 }]);
    expect(findings).toMatchObject([
      { code: 'import-lines-ignored' },
      { code: 'import-emulated', severity: 'warning' },
    ]);
  });
});
