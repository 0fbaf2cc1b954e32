import { formatBytes } from '../../../lib/format-quantity.js';
import { fewestForP95 } from '../../../lib/sample-counts.js';
import type { BenchReport, BenchReportRow } from '../../documents/bench-result.js';
import { addEnvironment } from '../add-environment.js';
import { type Cell, cell, columns, type ReportTable } from '../report-table.js';
import { writeMs, writeRange } from '../write-value.js';
import { nameCells, nameColumns, noteImitated, writeRowName } from './name-row.js';

/**
 * Lists what was measured per row: the total with its spread, readiness, steady state, memory.
 *
 * @param bench - The part of a benchmark in one cache state.
 * @returns The table; a star marks sums that leave something out, and the notes say what.
 */
export function tabulateTotals(bench: BenchReport): ReportTable {
  const { rows } = bench;
  const hasP95 = rows.some((row) => row.phases.totalMs?.p95 != null);
  const p95 = hasP95 ? ['>p95'] : [];
  const measures = ['>Runs', '>Total', '>Min–max', ...p95, '>Ready', '>Steady', '>Peak memory'];
  return {
    title: `Benchmark: ${bench.cache.title}`,
    columns: columns(...nameColumns(rows), ...measures),
    rows: rows.map((row) => [...nameCells(row, rows, bench.profiles), ...drawMeasures(row, hasP95)]),
    notes: [
      'Medians per row.',
      ...noteImitated(rows, bench.profiles),
      ...(bench.cache.state === 'memory' ? [memoryNote] : []),
      ...(rows.some(hasNoP95) ? [`A p95 takes ${fewestForP95} samples or more per row.`] : []),
      ...describeOutliers(rows),
      ...new Set(rows.flatMap(describeStated)),
      ...new Set(rows.flatMap(listGaps).map((gap) => `* not comparable: ${gap}`)),
    ],
  };
}

const memoryNote = 'These files lie on a file system that is memory, where nothing is ever cold.';

function drawMeasures(row: BenchReportRow, hasP95: boolean): readonly Cell[] {
  const total = addEnvironment(row.phases.totalMs, row.environment);
  const ready = addEnvironment(row.phases.readyMs, row.environment);
  const star = (reason: string | null) => (reason === null ? '' : ' *');
  return [
    cell(writeRuns(row), row.failures > 0 ? 'bad' : 'plain'),
    cell(writeMs(total?.median) + star(row.comparable.total), 'strong'),
    cell(total === null ? '–' : writeRange(total.min, total.max)),
    ...(hasP95 ? [cell(writeMs(total?.p95))] : []),
    cell(writeMs(ready?.median) + star(row.comparable.ready)),
    cell(writeMs(row.phases.steadyMs?.median)),
    cell(row.peakRssBytes === null ? '–' : formatBytes(row.peakRssBytes)),
  ];
}

function writeRuns({ runs, failures, outliers }: BenchReportRow): string {
  const remarks = [
    ...(failures === 0 ? [] : [`${failures} failed`]),
    ...(outliers.length === 0 ? [] : [outliers.length === 1 ? '1 outlier' : `${outliers.length} outliers`]),
  ];
  return remarks.length === 0 ? `${runs}` : `${runs} (${remarks.join(', ')})`;
}

function hasNoP95({ phases: { totalMs } }: BenchReportRow): boolean {
  return totalMs !== null && totalMs.p95 === null;
}

function describeOutliers(rows: readonly BenchReportRow[]): readonly string[] {
  const found = rows.filter((row) => row.outliers.length > 0);
  if (found.length === 0) return [];
  const listed = found.map(
    (row) =>
      `${writeRowName(row)}, run${row.outliers.length === 1 ? '' : 's'} ${row.outliers.map((run) => run + 1).join(', ')}`,
  );
  return [
    `Outliers lie far from their row's median by the median absolute deviation. They are flagged, not dropped: every figure holds them (${listed.join('; ')}).`,
  ];
}

/** The environment belongs to total and ready wherever it is stated, as it does when they are compared. */
function describeStated({ delivery, environment }: BenchReportRow): readonly string[] {
  return environment === null
    ? []
    : [`Total and ready of ${delivery} hold ${writeMs(environment.ms)} of stated environment.`];
}

function listGaps(row: BenchReportRow): readonly string[] {
  const { total, ready } = row.comparable;
  const reasons = [...new Set([total, ready].filter((reason) => reason !== null))];
  return reasons.map((reason) => `${row.delivery}: ${reason}`);
}
