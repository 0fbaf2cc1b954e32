import type { CheckReport } from '../documents/check-result.js';
import { tabulateBudgets, tabulateVerdicts } from '../tables/budget-tables.js';
import { tabulatePackFiles, tabulatePacks } from '../tables/pack-tables.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

/**
 * Says what fits where, for a terminal: the verdicts first, then what they rest on, line by line and file by file.
 *
 * @param result - The checked budgets.
 * @param settings - Whether to colour, how wide.
 * @returns Lines without a final newline.
 */
export function renderCheckText(result: CheckReport, settings: TextSettings): string {
  const { runtimePacks: packs } = result;
  const sums = packs.length === 0 ? [] : [tabulatePacks(packs)];
  return [tabulateVerdicts(result), ...sums, tabulateBudgets(result), ...tabulatePackFiles(packs)]
    .map((table) => drawTextTable(table, settings))
    .join('\n\n');
}
