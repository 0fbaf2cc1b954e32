import type { Delivery } from '../../../lib/delivery.js';
import type { BenchReport, BenchReportRow } from '../../documents/bench-result.js';
import { type Cell, cell, columns, type ReportTable } from '../report-table.js';
import { writeMs, writeRange } from '../write-value.js';
import { type MeanPhases, meanPhases, savingPercent } from './mean-phases.js';
import { nameCells, nameColumns, samplesOf } from './name-row.js';

/** What a delivery is a source of; the others are ways, not places. */
const sources: Readonly<Partial<Record<Delivery, string>>> = {
  url: 'model hub',
  's3-copy': 'copy from S3',
  mount: 'mounted S3',
  layer: 'disk',
};
const order: readonly Delivery[] = ['url', 's3-copy', 'mount', 'layer'];

/**
 * Tells whether a benchmark compares a model hub with other sources.
 *
 * @param bench - The part of a benchmark in one cache state.
 * @returns Whether {@link tabulateSources} has something to say.
 */
export function hasSources(bench: BenchReport): boolean {
  const rows = bench.rows.filter((row) => order.includes(row.delivery));
  return rows.some((row) => row.delivery === 'url') && rows.some((row) => row.delivery !== 'url');
}

/**
 * Sets the places a model can come from beside each other, with what each saves against the model hub.
 *
 * @param bench - The part of a benchmark in one cache state, with its samples.
 * @returns The table, of means; dashes where nothing was measured.
 */
export function tabulateSources(bench: BenchReport): ReportTable {
  const rows = bench.rows
    .filter((row) => order.includes(row.delivery))
    .sort((left, right) => compareNames(left, right, bench.rows));
  const measures = ['>Before', '>Download', '>Session', '>First inference', '>Total', '>Min–max', '>Saved'];
  return {
    title: `Where the model comes from: ${bench.cache.title}`,
    columns: columns(...nameColumns(rows), 'Source', ...measures),
    rows: rows.map((row) => [
      ...nameCells(row, rows),
      cell(sources[row.delivery] ?? row.delivery),
      ...drawMeans(meanPhases(samplesOf(bench, row))),
      drawSaving(bench, row),
    ]),
    notes: [
      'Means, which add up; before: process start and loading the runtime. Saved: of the total of the model hub; negative is slower.',
      'What passes before the process exists is in none of these figures.',
    ],
  };
}

/** All sources of a variant and memory below each other, in the order of the study. */
function compareNames(left: BenchReportRow, right: BenchReportRow, rows: readonly BenchReportRow[]): number {
  const rank = (row: BenchReportRow) => rows.findIndex((other) => isSameModel(other, row));
  return rank(left) - rank(right) || order.indexOf(left.delivery) - order.indexOf(right.delivery);
}

function isSameModel(left: BenchReportRow, right: BenchReportRow): boolean {
  return left.variantId === right.variantId && left.memoryMiB === right.memoryMiB;
}

function drawMeans(means: MeanPhases | null): readonly Cell[] {
  return [
    cell(writeMs(means?.beforeMs)),
    cell(writeMs(means?.downloadMs)),
    cell(writeMs(means?.sessionMs)),
    cell(writeMs(means?.firstInferenceMs)),
    cell(writeMs(means?.totalMs), 'strong'),
    cell(means === null ? '–' : writeRange(means.minTotalMs, means.maxTotalMs)),
  ];
}

function drawSaving(bench: BenchReport, row: BenchReportRow): Cell {
  const hub = bench.rows.find((other) => isSameModel(other, row) && other.delivery === 'url');
  if (hub === undefined || hub === row) return cell('–');
  const against = meanPhases(samplesOf(bench, hub));
  const means = meanPhases(samplesOf(bench, row));
  if (against === null || means === null) return cell('–');
  const percent = savingPercent(means.totalMs, against.totalMs);
  return cell(`${percent < 0 ? '−' : ''}${Math.abs(percent).toFixed(1)} %`);
}
