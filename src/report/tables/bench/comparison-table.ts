import { fewestSamples } from '../../../lib/sample-counts.js';
import type { BenchReport } from '../../documents/bench-result.js';
import { type Cell, cell, columns, type ReportTable } from '../report-table.js';
import { writeVerdict } from '../write-ratio.js';
import { nameCells, nameColumns, noteImitated, writeRowName } from './name-row.js';

type Ratio = BenchReport['comparisons'][number]['total'];

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
  const isJudged = comparisons.some(({ total, steady }) => ![total, steady].every(isUnjudged));
  return {
    title: `Against the fastest: ${bench.cache.title}`,
    columns: columns(...nameColumns(rows), 'Total', 'Steady'),
    rows: comparisons.map(({ row, total, steady }) => [
      ...nameCells(row, rows, bench.profiles),
      drawRatio(total),
      steady === null ? cell('–') : drawRatio(steady),
    ]),
    notes: [
      `Fastest by median total: ${fastest.join('; ')}. Ratios of medians${isJudged ? ' with their 95 % bootstrap interval' : ''}.`,
      ...(comparisons.some(({ total, steady }) => isFew(total) || isFew(steady)) ? [fewNote] : []),
      ...(comparisons.some(({ total, steady }) => isBeside(total) || isBeside(steady)) ? [besideNote] : []),
      ...noteImitated(rows, bench.profiles),
    ],
  };
}

const besideNote =
  'No measurable difference although the interval leaves 1 out: among so many rows, or with so few samples, chance does that, too.';

const fewNote = `~ no verdict: ${fewestSamples} samples or more of both rows tell a difference from noise; raise \`bench.runs\`.`;

function isFew(ratio: Ratio | null): boolean {
  return ratio?.verdict === 'too-few-samples';
}

function isUnjudged(ratio: Ratio | null): boolean {
  return ratio === null || isFew(ratio);
}

function isBeside(ratio: Ratio | null): boolean {
  const isUnsure = ratio?.verdict === 'no-measurable-difference';
  return ratio !== null && isUnsure && (ratio.low > 1 || ratio.high < 1);
}

function drawRatio(ratio: Ratio): Cell {
  if (isFew(ratio)) return cell(`~${ratio.ratio.toFixed(2)} ×`, 'faint');
  const isSure = ratio.verdict === 'slower' || ratio.verdict === 'faster';
  return cell(writeVerdict(ratio), isSure ? 'plain' : 'faint');
}
