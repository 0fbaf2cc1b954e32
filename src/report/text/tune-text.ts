import type { TuneReport } from '../documents/tune-result.js';
import { tabulateTuning } from '../tables/tune-table.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

/**
 * Says how each way of opening a variant did and which was chosen, for a terminal.
 *
 * @param result - The tuning of one variant.
 * @param settings - Whether to colour, and how wide.
 * @returns Lines without a final newline.
 */
export function renderTuneText(result: TuneReport, settings: TextSettings): string {
  return drawTextTable(tabulateTuning(result), settings);
}
