import { formatBytes, formatExactBytes } from '../../lib/format-quantity.js';
import type { CheckReport } from '../documents/check-result.js';
import { type Cell, cell, columns, type ReportTable, verdictCell } from './report-table.js';
import { writeLeft, writePercent } from './write-value.js';

/**
 * Sums the budgets of each variant and delivery up in one row: what is used of each limit.
 *
 * @param check - The checked budgets.
 * @returns The table; the limits stand in its head.
 */
export function tabulateVerdicts(check: CheckReport): ReportTable {
  const { limits } = check;
  const wholeMiB = (limitBytes: number) => `${Number((limitBytes / 1024 ** 2).toFixed(1))} MiB`;
  return {
    title: `Budgets (${limits.profile})`,
    columns: columns(
      'Variant',
      'Delivery',
      'Verdict',
      `>Unzipped < ${wholeMiB(limits.unzippedBytes)}`,
      `>Ephemeral ≤ ${wholeMiB(limits.ephemeralBytes)}`,
      '>Memory, est.',
      '>Zip, est.',
    ),
    rows: check.rows.map((row) => [
      cell(row.variantId),
      cell(row.delivery),
      verdictCell(row.verdict),
      ...budgetNames.map((budget) => drawUse(row.lines.find((line) => line.budget === budget))),
    ]),
    notes: check.rows
      .filter((row) => row.verdict !== 'pass')
      .map((row) => `${row.variantId} by ${row.delivery} ${row.reason}`),
  };
}

const budgetNames = ['unzipped', 'ephemeral', 'memory', 'zipped'] as const;

function drawUse(line: CheckReport['rows'][number]['lines'][number] | undefined): Cell {
  if (line === undefined) return cell('–', 'faint');
  const isBinding = line.budget === 'unzipped' || line.budget === 'ephemeral';
  const share = isBinding ? ` (${writePercent(line.percent)})` : '';
  const tone = line.verdict === 'pass' ? 'plain' : line.verdict === 'fail' ? 'bad' : 'warn';
  return cell(`${formatBytes(line.usedBytes)}${share}`, tone);
}

/**
 * Lists each budget of each variant and delivery with its limit and what is left.
 *
 * @param check - The checked budgets.
 * @returns The table.
 */
export function tabulateBudgets(check: CheckReport): ReportTable {
  const { limits } = check;
  return {
    title: 'Budgets, line by line',
    columns: columns('Variant', 'Delivery', 'Budget', '>Used', '>Limit', '>Left', '>Share', 'Verdict'),
    rows: check.rows.flatMap((row) => row.lines.map((line) => drawLine(row, line))),
    notes: [
      `Unzipped must be smaller than ${formatExactBytes(limits.unzippedBytes)} B, code and layers together; ephemeral storage ` +
        `holds ${formatExactBytes(limits.ephemeralBytes)} B; zip and memory are estimates and make findings; memory fails only by the artifact’s own bytes.`,
    ],
  };
}

/**
 * Lists what was counted, once per budget line.
 *
 * @param check - The checked budgets.
 * @returns The table.
 */
export function tabulateCounted(check: CheckReport): ReportTable {
  const rows = check.rows.flatMap(({ variantId, delivery, lines }) =>
    lines.flatMap(({ budget, counted }) =>
      counted.map((item) => [
        cell(variantId),
        cell(delivery),
        cell(budget),
        cell(item.what),
        cell(formatExactBytes(item.sizeBytes)),
      ]),
    ),
  );
  return {
    title: 'What was counted',
    columns: columns('Variant', 'Delivery', 'Budget', '~Counted', '>Bytes'),
    rows,
    notes: [],
  };
}

function drawLine(
  { variantId, delivery }: CheckReport['rows'][number],
  line: CheckReport['rows'][number]['lines'][number],
): readonly Cell[] {
  const { budget, usedBytes, limitBytes, leftBytes, percent, verdict } = line;
  const isEstimate = budget === 'zipped' || budget === 'memory';
  const isHidden = formatBytes(usedBytes) === formatBytes(limitBytes);
  const write = isHidden ? (bytes: number) => `${formatExactBytes(bytes)} B` : formatBytes;
  return [
    cell(variantId),
    cell(delivery),
    cell(isEstimate ? `${budget} (estimate)` : budget),
    cell(write(usedBytes)),
    cell(write(limitBytes)),
    cell(
      leftBytes === 0 && verdict === 'fail' ? 'at limit' : writeLeft(leftBytes),
      leftBytes < 0 ? 'bad' : 'plain',
    ),
    cell(writePercent(percent)),
    verdictCell(verdict),
  ];
}
