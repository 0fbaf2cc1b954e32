import type { SweepReport } from '../documents/sweep-result.js';
import { tabulateSweep } from '../tables/sweep-table.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

/**
 * Says what workers and threads give in steady state, for a terminal.
 *
 * @param result - The sweep of one variant.
 * @param settings - Whether to colour, and how wide.
 * @returns Lines without a final newline.
 */
export function renderSweepText(result: SweepReport, settings: TextSettings): string {
  return drawTextTable(tabulateSweep(result), settings);
}
