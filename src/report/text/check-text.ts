import { paintText } from '../../lib/paint-text.js';
import type { CheckReport } from '../documents/check-result.js';
import { describePack, tabulateBudgets, tabulatePack, tabulateVerdicts } from '../tables/budget-tables.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

/**
 * Says what fits where, for a terminal: the verdicts first, then what they rest on, line by line and file by file.
 *
 * @param result - The checked budgets.
 * @param settings - Whether to colour, how wide.
 * @returns Lines without a final newline.
 */
export function renderCheckText(result: CheckReport, settings: TextSettings): string {
  const { runtimePack } = result;
  const detail = [tabulateBudgets(result), tabulatePack(runtimePack)];
  const [verdicts, ...tables] = [tabulateVerdicts(result), ...detail].map((table) =>
    drawTextTable(table, settings),
  );
  const pack = `Runtime pack ${runtimePack.version}, counted in every row: ${describePack(runtimePack)}.`;
  return [`${verdicts}\n${paintText(pack, 'faint', settings.colour)}`, ...tables].join('\n\n');
}
