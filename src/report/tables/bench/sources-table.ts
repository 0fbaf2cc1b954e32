import type { Delivery } from '../../../lib/delivery.js';
import type { BenchReport, BenchReportRow } from '../../documents/bench-result.js';
import { type Cell, cell, columns, type ReportTable } from '../report-table.js';
import { writeMs, writeRange } from '../write-value.js';
import { type MeanPhases, meanPhases, savingPercent } from './mean-phases.js';
import { nameCells, nameColumns, samplesOf } from './name-row.js';

/** The places a model can come from, in the order of the study; other deliveries are ways to the same place. */
const sources: readonly (readonly [Delivery, string])[] = [
  ['url', 'model hub (url)'],
  ['s3-copy', 'copy (s3-copy)'],
  ['mount', 'mount'],
  ['layer', 'disk (layer)'],
];
const order = sources.map(([delivery]) => delivery);

/**
 * Tells whether a benchmark compares a model hub with other sources.
 *
 * @param bench - The part of a benchmark in one cache state.
 * @returns Whether {@link tabulateSources} has something to say.
 */
export function hasSources(bench: BenchReport): boolean {
  return listRows(bench).some((row) => row.delivery !== 'url');
}

/**
 * Sets the places a model can come from beside each other, with what each saves against the model hub.
 *
 * @param bench - The part of a benchmark in one cache state, with its samples.
 * @returns The table, of means; dashes where nothing was measured.
 */
export function tabulateSources(bench: BenchReport): ReportTable {
  const rows = listRows(bench);
  const measures = ['>Start', '>Download', '>Session', '>First inference', '>Total', '>Min–max', '>Saved'];
  const [variant = '#Variant', , ...memory] = nameColumns(rows);
  return {
    title: `Where the model comes from: ${bench.cache.title}`,
    columns: columns(variant, '#Source', ...memory, ...measures),
    rows: rows.map((row) => [
      ...drawName(row, rows),
      ...drawMeans(meanPhases(samplesOf(bench, row))),
      drawSaving(bench, row),
    ]),
    notes: [
      'Means, which add up. Start holds loading the runtime, and nothing of what passes before the process exists. Saved: share of the total of the model hub; negative takes longer.',
    ],
  };
}

/** All sources of a variant in one memory below each other, of those that came from a model hub too. */
function listRows({ rows }: BenchReport): readonly BenchReportRow[] {
  const hubs = rows.filter((row) => row.delivery === 'url');
  return hubs.flatMap((hub) =>
    order.flatMap((delivery) => rows.filter((row) => row.delivery === delivery && isSameModel(row, hub))),
  );
}

function drawName(row: BenchReportRow, rows: readonly BenchReportRow[]): readonly Cell[] {
  const [variant = cell(row.variantId), , ...memory] = nameCells(row, rows);
  const source = sources.find(([delivery]) => delivery === row.delivery)?.[1];
  return [variant, cell(source ?? row.delivery), ...memory];
}

function isSameModel(left: BenchReportRow, right: BenchReportRow): boolean {
  return left.variantId === right.variantId && left.memoryMiB === right.memoryMiB;
}

function drawMeans(means: MeanPhases | null): readonly Cell[] {
  return [
    cell(writeMs(means?.startMs)),
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
