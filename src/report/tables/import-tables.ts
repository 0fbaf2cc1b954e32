import { formatBytes } from '../../lib/format-quantity.js';
import { fewestForP95 } from '../../lib/sample-counts.js';
import type { ImportReport, ImportReportRow } from '../documents/import-result.js';
import { type Cell, cell, columns, type ReportTable } from './report-table.js';
import { studyMetricNames } from './study-metrics.js';
import { writeMs, writeRange } from './write-value.js';

/**
 * Lists the study's six metrics per function, variant, delivery, memory, threads, start mode and state.
 *
 * @param result - Imported runs.
 * @returns The table, medians.
 */
export function tabulateStudyMetrics(result: ImportReport): ReportTable {
  return {
    title: 'Runs on Lambda: the six metrics',
    columns: columns(
      ...nameColumns,
      '>Calling to load',
      '>Load model',
      '>Initial inference',
      '>Further inference',
      '>Calling + load',
      '>Total',
    ),
    rows: result.rows.map((row) => [
      ...nameRow(row),
      ...studyMetricNames.map((name) =>
        cell(writeMs(row.metrics[name]?.median), name === 'totalMetricMs' ? 'strong' : 'plain'),
      ),
    ]),
    notes: ['Medians per row; the total is calling to load + load model + initial inference.'],
  };
}

const nameColumns = ['#Function', '#Delivery', '#Memory', '#Threads', '#Start', '#State'];

/**
 * Lists how the totals spread, and what the platform did before and beside them.
 *
 * @param result - Imported runs.
 * @returns The table.
 */
export function tabulateStarts(result: ImportReport): ReportTable {
  return {
    title: 'Spread and environment',
    columns: columns(
      ...nameColumns,
      '>Calls',
      '>Total min–max',
      '>p95',
      '>Environment',
      '>Its min–max',
      '>Restore',
      '>Peak memory',
    ),
    rows: result.rows.map((row) => [
      ...nameRow(row),
      row.failures === 0 ? cell(`${row.calls}`) : cell(`${row.calls} (${row.failures} failed)`, 'bad'),
      cell(writeSpread(row.metrics.totalMetricMs)),
      cell(writeMs(row.metrics.totalMetricMs?.p95)),
      cell(writeMs(row.environmentMs?.median)),
      cell(writeSpread(row.environmentMs)),
      cell(writeMs(row.restoreMs?.median)),
      cell(row.maxMemoryBytes === null ? '–' : formatBytes(row.maxMemoryBytes)),
    ]),
    notes: [
      'Environment: from the call until the process existed, which no measurement on one machine can see.',
      ...(result.rows.every(hasP95) ? [] : [`A p95 takes ${fewestForP95} calls or more per row.`]),
    ],
  };
}

function hasP95({ metrics }: ImportReportRow): boolean {
  return metrics.totalMetricMs?.p95 != null;
}

function writeSpread(spread: ImportReportRow['environmentMs']): string {
  return spread === null ? '–' : writeRange(spread.min, spread.max);
}

function nameRow(row: ImportReportRow): readonly Cell[] {
  const { functionName, variantId, delivery, memoryMiB, threads, startMode, state } = row;
  return [
    cell(functionName),
    cell([variantId, delivery].filter((word) => word !== null).join(' by ') || '–'),
    cell(`${memoryMiB} MiB`),
    cell(threads === null ? '–' : `${threads}`),
    cell(startMode),
    cell(state),
  ];
}
