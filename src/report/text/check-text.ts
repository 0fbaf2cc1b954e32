import type { CheckReport } from '../documents/check-result.js';
import { tabulateBudgets, tabulateVerdicts } from '../tables/budget-tables.js';
import { tabulatePacks } from '../tables/pack-tables.js';
import type { ReportTable } from '../tables/report-table.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

/**
 * Says what fits where, for a terminal: the verdicts first, then what they rest on, line by line.
 *
 * @param result - The checked budgets.
 * @param settings - Whether to colour, how wide.
 * @returns Lines without a final newline.
 */
export function renderCheckText(result: CheckReport, settings: TextSettings): string {
  const { runtimePacks: packs } = result;
  const sums = packs.length === 0 ? [] : [listFilesElsewhere(tabulatePacks(packs))];
  return [tabulateVerdicts(result), ...sums, tabulateBudgets(result)]
    .map((table) => drawTextTable(table, settings))
    .join('\n\n');
}

function listFilesElsewhere(table: ReportTable): ReportTable {
  return { ...table, notes: [...table.notes, '`--json` lists the files of each pack.'] };
}
