import { formatBytes, formatMs } from '../../lib/format-quantity.js';
import { nameObjective } from '../../lib/objective.js';
import type { PickReport } from '../documents/pick-result.js';
import { listDoubts } from './pick-doubts.js';
import { type Cell, cell, columns, type ReportTable } from './report-table.js';
import { capitalise } from './write-value.js';

const sameReason = 'for the same reason';

/**
 * Lists the winner, those that lost with the reason, and apart from them what could not be compared.
 *
 * @param pick - The choice.
 * @returns The table.
 */
export function tabulatePick(pick: PickReport): ReportTable {
  const { objective, winner, losers, notComparable } = pick;
  const write = (value: number | null) => writeObjective(value, objective);
  return {
    title: `Pick by ${nameObjective(objective)}`,
    columns: columns(
      'Variant',
      'Delivery',
      'Outcome',
      `>${capitalise(nameObjective(objective))}`,
      '>× winner',
      '~Why',
    ),
    rows: [
      ...drawWinner(pick),
      ...losers.map((loser, index) => [
        cell(loser.variantId),
        cell(loser.delivery),
        loser.value === null ? cell('refused', 'bad') : cell('lost'),
        cell(write(loser.value)),
        cell(loser.ratioToWinner === null ? '–' : loser.ratioToWinner.toFixed(2)),
        cell(losers[index - 1]?.reason === loser.reason && loser.value === null ? sameReason : loser.reason),
      ]),
      ...notComparable.map((row, index) => [
        cell(row.variantId),
        cell(row.delivery),
        cell('not comparable', 'warn'),
        cell('–'),
        cell('–'),
        cell(notComparable[index - 1]?.reason === row.reason ? sameReason : row.reason),
      ]),
    ],
    notes: winner === null ? ['No candidate is left.'] : [],
  };
}

function drawWinner(pick: PickReport): readonly (readonly Cell[])[] {
  const { winner, objective } = pick;
  if (winner === null) return [];
  const doubts = listDoubts(pick);
  return [
    [
      cell(winner.variantId, 'strong'),
      cell(winner.delivery),
      cell(['winner', ...doubts].join(', '), doubts.length === 0 ? 'good' : 'warn'),
      cell(writeObjective(winner.value, objective)),
      cell('1.00'),
      cell(winner.reason),
    ],
  ];
}

function writeObjective(value: number | null, objective: PickReport['objective']): string {
  if (value === null) return '–';
  return objective === 'size' ? formatBytes(value) : formatMs(value);
}
