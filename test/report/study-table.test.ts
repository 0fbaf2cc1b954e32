import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OptimiseModelError } from '../../src/messages/error.js';
import type { BenchReport } from '../../src/report/documents/bench-result.js';
import { runResultSchema } from '../../src/report/documents/run-result.js';
import { renderRunHtml } from '../../src/report/html/run-html.js';
import { renderRunMarkdown } from '../../src/report/markdown/run-markdown.js';
import { readImportDocument } from '../../src/report/read-import-document.js';
import type { ReportTable } from '../../src/report/tables/report-table.js';
import { tabulateStudy } from '../../src/report/tables/study-table.js';
import { renderImportText } from '../../src/report/text/import-text.js';
import { renderRunText } from '../../src/report/text/run-text.js';
import { withState } from './rich-view.js';
import { makeSampleImport } from './sample-import.js';
import { makeSampleView } from './sample-view.js';

const view = await makeSampleView();
const imported = await makeSampleImport();
const whole: BenchReport = take(view.bench);

function take<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('the sample is complete');
  return value;
}

/** One row with three processes, by whose figures medians of sums are no sums of medians. */
function makeBench(environment: BenchReport['rows'][number]['environment']): BenchReport {
  const row = { ...take(whole.rows[0]), environment, runs: 4, failures: 1 };
  const [first, ...others] = whole.samples;
  const sample = take(first);
  const phases = [
    { startMs: 40, runtimeMs: 30, downloadMs: 100, sessionMs: 60, firstInferenceMs: 20 },
    { startMs: 50, runtimeMs: 30, downloadMs: 90, sessionMs: 70, firstInferenceMs: 30 },
    { startMs: 40, runtimeMs: 60, downloadMs: 100, sessionMs: 20, firstInferenceMs: 25 },
    null,
  ];
  const steady = [[10, 30], [20], [40, 40], []];
  const own = phases.map((each, run) => ({ ...sample, run, phases: each, steadyMs: steady[run] ?? [] }));
  // Those of other rows are none of its own.
  return { ...whole, rows: [row], samples: [...own, ...others.filter((each) => each.delivery === 'layer')] };
}

const rowsOf = (table: ReportTable | undefined) =>
  take(table).rows.map((row) =>
    Object.fromEntries(row.map(({ text }, index) => [titleOf(table, index), text])),
  );
const titleOf = (table: ReportTable | undefined, index: number) => take(table).columns[index]?.title;

describe('what was measured here', () => {
  test('has the six metrics per process, and says that its environment is not seen', () => {
    const [table, ...more] = tabulateStudy(makeBench(null), [imported]);
    expect(more).toEqual([]);
    expect(rowsOf(table)[0]).toEqual({
      'Function or variant': 'fp32.single by s3-copy',
      Where: 'here',
      Memory: 'whole machine',
      Start: 'new process',
      Threads: '2',
      Runs: '4 (1 failed)',
      Environment: 'not seen',
      'Calling to load': '80 ms (70–100) *',
      'Load model': '160 ms (120–160)',
      'Initial inference': '25 ms (20–30)',
      'Further inference': '20 ms (20–40)',
      'Calling + load': '230 ms (220–240) *',
      Total: '250 ms (245–270) *',
    });
    expect(take(table).notes.join('\n')).toContain(
      '* What passes before the process exists is not seen here',
    );
  });

  test('holds the environment that is stated in what begins at the call, and names its source', () => {
    const [table] = tabulateStudy(makeBench({ ms: 900, source: 'what was seen last week' }), [imported]);
    expect(rowsOf(table)[0]).toMatchObject({
      Environment: '900 ms stated',
      'Calling to load': '980 ms (970–1000)',
      'Load model': '160 ms (120–160)',
      'Calling + load': '1130 ms (1120–1140)',
      Total: '1150 ms (1145–1170)',
    });
    const notes = take(table).notes.join('\n');
    expect(notes).toContain('900 ms of environment are stated, not measured: what was seen last week');
    expect(notes).not.toContain('* What passes');
  });
});

describe('what ran on Lambda', () => {
  test('stands in the same table with start mode, threads and a measured environment, cold starts only', () => {
    const [table] = tabulateStudy(makeBench(null), [imported]);
    const real = rowsOf(table).filter((row) => row.Where === 'Lambda');
    expect(real).toHaveLength(imported.rows.filter((row) => row.state === 'cold').length);
    expect(real).toContainEqual({
      'Function or variant': 'src_lambda_node_loader (fp16-weights.external by stream)',
      Where: 'Lambda',
      Memory: '4,096 MiB',
      Start: 'on-demand',
      Threads: '2',
      Runs: '1',
      Environment: '260 ms measured',
      'Calling to load': '400 ms',
      'Load model': '2000 ms',
      'Initial inference': '140 ms',
      'Further inference': '48 ms',
      'Calling + load': '2400 ms',
      Total: '2540 ms',
    });
    const snapstart = real.find((row) => row['Function or variant']?.startsWith('src_lambda_onnx_snapstart'));
    expect(snapstart).toMatchObject({ Start: 'snapstart', 'Load model': '0 ms' });
    expect(take(table).notes.join('\n')).toContain('3 warm calls on Lambda are in');
  });

  test('stands beside each cache state by itself, and alone without a benchmark', () => {
    const tables = tabulateStudy(withState(whole, 'lazy', 'warm'), [imported]);
    expect(tables.map((table) => table.title)).toEqual([
      expect.stringMatching(/^The six metrics here and on Lambda: cold/),
      expect.stringMatching(/^The six metrics here and on Lambda: process start/),
    ]);
    const [alone] = tabulateStudy(null, [imported, imported]);
    expect(rowsOf(alone).map((row) => row.Where)).toEqual(Array(14).fill('Lambda'));
    expect(tabulateStudy(whole, [])).toEqual([]);
  });

  test('is in every report, and in none that was given no import', async () => {
    const both = { ...view, imported: [imported] };
    expect(runResultSchema.parse(JSON.parse(JSON.stringify(both))).imported).toHaveLength(1);
    const { document } = parseHTML(await renderRunHtml(both));
    const section = document.querySelector('section[aria-labelledby=real-runs]');
    expect(section?.querySelectorAll('tbody tr')).toHaveLength(16 + 7);
    const settings = { colour: false, width: 120 };
    for (const text of [renderRunMarkdown(both), renderRunText(both, settings)]) {
      expect(text).toContain('The six metrics here and on Lambda');
    }
    expect(renderRunMarkdown(both)).toContain('### Real runs');
    expect(renderImportText(imported, whole, settings)).toContain('The six metrics here and on Lambda');
    expect(renderRunMarkdown(view)).not.toContain('Real runs');
    expect(await renderRunHtml(view)).not.toContain('Real runs');
  });
});

describe('the file of an import', () => {
  async function read(text: string) {
    const folder = await mkdtemp(join(tmpdir(), 'optimise-model-document-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'lambda.json');
    await writeFile(file, text);
    return readImportDocument(file);
  }
  const { findings } = imported;
  const head = { schemaVersion: 1, toolVersion: '0.1.0', command: 'bench import', status: 'ok' };
  const document = { ...head, result: imported, findings };

  test('is what bench import prints as JSON', async () => {
    expect(await read(JSON.stringify(document))).toEqual(JSON.parse(JSON.stringify(imported)));
  });

  test.each([
    ['no JSON', 'REPORT RequestId: a', null],
    ['JSON of another kind', '{"events": []}', null],
    ['JSON of another kind', 'null', null],
    ['what `bench --json` prints', JSON.stringify({ ...document, command: 'bench' }), null],
    ['of an import that failed (status error)', JSON.stringify({ ...head, status: 'error' }), null],
    [
      'of another version or damaged',
      JSON.stringify({ ...document, result: { ...imported, rows: [{}] } }),
      'result.rows.0.functionName',
    ],
  ])('is refused as %s', async (seen, text, field) => {
    const error = await read(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OptimiseModelError);
    expect(error).toMatchObject({ code: 'import-document-wrong', exitCode: 2, facts: { seen, field } });
  });
});
