import type { BenchReport } from '../../documents/bench-result.js';
import { type Cell, cell, columns, type ReportTable } from '../report-table.js';
import { writeVerdict } from '../write-ratio.js';
import { nameCells, nameColumns, writeRowName } from './name-row.js';

/**
 * Sets each row beside the fastest of its memory and cache state, with how sure that is.
 *
 * @param bench - The part of a benchmark in one cache state, with comparisons.
 * @returns The table; a difference that cannot be told from noise is called that.
 */
export function tabulateComparisons(bench: BenchReport): ReportTable {
  const { comparisons } = bench;
  const rows = comparisons.map(({ row }) => row);
  const fastest = [...new Set(comparisons.map(({ against }) => writeRowName(against)))];
  return {
    title: `Against the fastest: ${bench.cache.title}`,
    columns: columns(...nameColumns(rows), 'Total', 'Steady'),
    rows: comparisons.map(({ row, total, steady }) => [
      ...nameCells(row, rows),
      drawRatio(total),
      steady === null ? cell('–') : drawRatio(steady),
    ]),
    notes: [
      `Fastest by median total: ${fastest.join('; ')}. Ratios of medians with their 95 % bootstrap interval.`,
    ],
  };
}

function drawRatio(ratio: BenchReport['comparisons'][number]['total']): Cell {
  return cell(writeVerdict(ratio), ratio.verdict === 'no-measurable-difference' ? 'faint' : 'plain');
}
