import type { BenchReport } from '../documents/bench-result.js';
import type { ImportReport } from '../documents/import-result.js';
import { noteImitated } from './bench/name-row.js';
import { splitByCache } from './bench/split-by-cache.js';
import { type Cell, cell, columns, type ReportTable } from './report-table.js';
import { studyMetricNames } from './study-metrics.js';
import { listImportedRows, listLocalRows, type StudyMetrics, type StudyRow } from './study-rows.js';
import { countOf, writeMs, writeRange } from './write-value.js';

/**
 * Sets real runs on Lambda beside what was measured here, by the study's six metrics in one table.
 *
 * @param bench - The benchmark; null when there is none.
 * @param imported - Imports of real runs.
 * @returns One table; one per cache state where the benchmark found several, as its other tables are; none without imports.
 */
export function tabulateStudy(
  bench: BenchReport | null,
  imported: readonly ImportReport[],
): readonly ReportTable[] {
  if (imported.length === 0) return [];
  const real = imported.flatMap(listImportedRows);
  const groups = bench === null ? [] : splitByCache(bench);
  const warm = imported.flatMap(({ rows }) => rows).filter(({ state }) => state === 'warm');
  const notes = warm.length === 0 ? [] : [describeWarm(warm.reduce((sum, { calls }) => sum + calls, 0))];
  if (groups.length === 0) return [drawStudy('Runs on Lambda: the six metrics', real, notes)];
  return groups.map((group) => {
    const title = `The six metrics here and on Lambda: ${group.bench.cache.title}`;
    return drawStudy(
      title,
      [...listLocalRows(group.bench), ...real],
      [...noteImitated(group.bench.rows, group.bench.profiles), ...notes],
    );
  });
}

function drawStudy(title: string, rows: readonly StudyRow[], notes: readonly string[]): ReportTable {
  const stated = rows.flatMap(({ environment }) =>
    environment.kind === 'stated'
      ? [`${writeMs(environment.ms)} of environment are stated, not measured: ${environment.source}`]
      : [],
  );
  return {
    title,
    columns: columns(
      '#Function or variant',
      '#Where',
      '#Memory',
      'Start',
      '>Threads',
      '>Runs',
      '>Environment',
      '>Calling to load',
      '>Load model',
      '>Initial inference',
      '>Further inference',
      '>Calling + load',
      '>Total',
    ).map((column, index) => (index === 0 ? { ...column, wraps: true } : column)),
    rows: rows.map(drawRow),
    notes: [
      'Medians, with the fastest and the slowest. Calling to load: from the call until the engine’s library is loaded and the load begins; the total is calling + load + initial inference.',
      ...new Set(stated),
      ...(rows.some(({ environment }) => environment.kind === 'unseen') ? [unseenNote] : []),
      ...notes,
    ],
  };
}

const unseenNote =
  '* What passes before the process exists is not seen here and not stated: this leaves it out, and Lambda’s figures hold it. State `bench.environment` in the pipeline file.';

function describeWarm(calls: number): string {
  return `Cold starts only: ${countOf(calls, 'warm call')} on Lambda ${calls === 1 ? 'is' : 'are'} in \`optimise-model bench import\`.`;
}

/** Those that begin at the call, and so hold the environment. */
const fromCall: readonly (keyof StudyMetrics)[] = [
  'callingToLoadModelMs',
  'callingLoadSumMs',
  'totalMetricMs',
];

function drawRow(row: StudyRow): readonly Cell[] {
  const { name, place, memory, startMode, threads, runs, failures, environment, metrics } = row;
  return [
    ...[name, place, memory, startMode, threads === null ? '–' : `${threads}`].map((text) => cell(text)),
    failures === 0 ? cell(`${runs}`) : cell(`${runs} (${failures} failed)`, 'bad'),
    drawEnvironment(environment),
    ...studyMetricNames.map((metric) => {
      const star = environment.kind === 'unseen' && fromCall.includes(metric) ? ' *' : '';
      const isTotal = metric === 'totalMetricMs';
      return cell(writeSpread(metrics[metric]) + star, isTotal ? 'strong' : 'plain');
    }),
  ];
}

function drawEnvironment(environment: StudyRow['environment']): Cell {
  if (environment.kind === 'unseen') return cell('not seen', 'faint');
  if (environment.kind === 'stated') return cell(`${writeMs(environment.ms)} stated`);
  return cell(environment.spread === null ? '–' : `${writeSpread(environment.spread)} measured`);
}

function writeSpread(spread: StudyMetrics['loadModelMs']): string {
  if (spread === null) return '–';
  const { median, min, max } = spread;
  if (min === max) return writeMs(median);
  const [middle, range] = [writeMs(median), writeRange(min, max)];
  const unit = middle.slice(middle.lastIndexOf(' '));
  return `${middle} (${range.endsWith(unit) ? range.slice(0, -unit.length) : range})`;
}
