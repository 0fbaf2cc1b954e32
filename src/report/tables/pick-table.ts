import { formatBytes, formatMs } from '../../lib/format-quantity.js';
import type { PickReport } from '../documents/pick-result.js';
import { type Cell, cell, columns, type ReportTable } from './report-table.js';

const sameReason = 'for the same reason';

/**
 * Lists the winner, those that lost with the reason, and apart from them what could not be compared.
 *
 * @param pick - The choice.
 * @returns The table.
 */
export function tabulatePick(pick: PickReport): ReportTable {
  const { objective, winner, losers, notComparable } = pick;
  const write = (value: number | null) =>
    value === null ? '–' : objective === 'size' ? formatBytes(value) : formatMs(value);
  const won: readonly Cell[][] =
    winner === null
      ? []
      : [
          [
            cell(winner.variantId, 'strong'),
            cell(winner.delivery),
            cell('winner', 'good'),
            cell(write(winner.value)),
            cell('1.00'),
            cell(winner.reason),
          ],
        ];
  return {
    title: `Pick by ${objective}`,
    columns: columns('Variant', 'Delivery', 'Outcome', `>${capitalise(objective)}`, '>× winner', '~Why'),
    rows: [
      ...won,
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

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
