import { formatExactBytes } from '../../lib/format-quantity.js';
import { formatValue } from '../../lib/format-value.js';
import { nameObjective, unitOf } from '../../lib/objective.js';
import type { PickReport } from '../documents/pick-result.js';
import { listDoubts } from './pick-doubts.js';
import { markEvidence, noteEvidence } from './pick-evidence.js';
import { type Cell, cell, columns, type ReportTable } from './report-table.js';
import { capitalise } from './write-value.js';

type Loser = PickReport['losers'][number];

/** What names a row, its outcome, its value and ratio, and why. */
type Row = {
  readonly name: Pick<Loser, 'variantId'> & Partial<Pick<Loser, 'delivery' | 'startMode'>>;
  readonly outcome: Cell;
  readonly value: string;
  readonly ratio: string;
  readonly why: string;
};

const sameReason = 'for the same reason';

/** What a start mode is called in a column. */
const starts = { 'on-demand': 'on demand', snapstart: 'SnapStart', provisioned: 'provisioned' } as const;

/**
 * Lists the winner, those that lost with the reason, and apart from them what could not be compared or made. A value that
 * rests on more than what was measured here bears a mark, and the notes say on what.
 *
 * @param pick - The choice.
 * @returns The table; start modes have a column where there is more than on demand.
 */
export function tabulatePick(pick: PickReport): ReportTable {
  const { objective, winner } = pick;
  const rows = [...listWinner(pick), ...listLosers(pick), ...listNotComparable(pick), ...listLeftOut(pick)];
  const hasStarts = rows.some(({ name }) => name.startMode !== undefined && name.startMode !== 'on-demand');
  const title = objective === 'costPer100k' ? 'Cost per 100k' : capitalise(nameObjective(objective));
  const start = hasStarts ? ['Start'] : [];
  return {
    title: `Pick by ${nameObjective(objective)}${sayMemory(pick)}`,
    columns: columns('Variant', 'Delivery', ...start, 'Outcome', `>${title}`, '>× winner', '~Why'),
    rows: rows.map(({ name, outcome, value, ratio, why }) => [
      cell(name.variantId, name === winner ? 'strong' : 'plain'),
      cell(name.delivery ?? '–'),
      ...(hasStarts ? [cell(name.startMode === undefined ? '–' : starts[name.startMode])] : []),
      outcome,
      ...[value, ratio, why].map((text) => cell(text)),
    ]),
    notes: [...(winner === null ? ['No candidate is left.'] : []), ...noteEvidence(pick)],
  };
}

/** Where all that is compared is of one. */
function sayMemory({ winner, losers }: PickReport): string {
  const [first = null, ...others] = new Set(
    [...(winner === null ? [] : [winner]), ...losers].map(({ memoryMiB }) => memoryMiB),
  );
  return first === null || others.length > 0 ? '' : ` at ${formatExactBytes(first)} MiB`;
}

function listWinner(pick: PickReport): readonly Row[] {
  const { winner } = pick;
  if (winner === null) return [];
  const doubts = listDoubts(pick);
  const outcome = cell(['winner', ...doubts].join(', '), doubts.length === 0 ? 'good' : 'warn');
  const value = formatValue(winner.value, winner.unit) + markEvidence(winner.evidence);
  return [{ name: winner, outcome, value, ratio: '1.00', why: winner.reason }];
}

function listLosers({ losers, objective }: PickReport): readonly Row[] {
  const unit = unitOf(objective);
  return losers.map((loser, index) => ({
    name: loser,
    outcome: loser.value === null ? cell('refused', 'bad') : cell('lost'),
    value: loser.value === null ? '–' : formatValue(loser.value, unit) + markEvidence(loser.evidence),
    ratio: loser.ratioToWinner === null ? '–' : loser.ratioToWinner.toFixed(2),
    why: loser.value === null ? sayOnce(losers, index) : loser.reason,
  }));
}

function listNotComparable({ notComparable }: PickReport): readonly Row[] {
  return notComparable.map((name, index) => ({
    ...{ name, outcome: cell('not comparable', 'warn'), value: '–', ratio: '–' },
    why: sayOnce(notComparable, index),
  }));
}

function listLeftOut({ leftOut }: PickReport): readonly Row[] {
  return leftOut.map(({ variantId }, index) => ({
    ...{ name: { variantId }, outcome: cell('left out', 'warn'), value: '–', ratio: '–' },
    why: sayOnce(leftOut, index),
  }));
}

function sayOnce(rows: readonly { readonly reason: string }[], index: number): string {
  const reason = rows[index]?.reason ?? '';
  return rows[index - 1]?.reason === reason ? sameReason : reason;
}
