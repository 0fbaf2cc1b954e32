import type { PickReport } from '../documents/pick-result.js';
import { tabulatePick } from '../tables/pick-table.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

/**
 * Says what to ship and why the others lost, for a terminal.
 *
 * @param result - The choice.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderPickText(result: PickReport, settings: TextSettings): string {
  return drawTextTable(tabulatePick(result), settings);
}
