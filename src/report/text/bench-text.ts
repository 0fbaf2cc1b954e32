import type { BenchReport } from '../documents/bench-result.js';
import { tabulatePhases, tabulateTotals } from '../tables/bench-tables.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

/**
 * Says how fast everything started, for a terminal.
 *
 * @param result - The benchmark.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderBenchText(result: BenchReport, settings: TextSettings): string {
  return [tabulatePhases(result), tabulateTotals(result)]
    .map((table) => drawTextTable(table, settings))
    .join('\n\n');
}
