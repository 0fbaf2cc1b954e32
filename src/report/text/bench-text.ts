import { paintText } from '../../lib/paint-text.js';
import { wrapText } from '../../lib/wrap-text.js';
import type { BenchReport } from '../documents/bench-result.js';
import { tabulateConditions } from '../tables/bench/conditions-table.js';
import { describeGate } from '../tables/bench/gate-line.js';
import { splitByCache } from '../tables/bench/split-by-cache.js';
import { tabulateState } from '../tables/bench/state-tables.js';
import { drawTextTable, type TextSettings, textWidth } from './draw-table.js';

/**
 * Says how fast everything started, for a terminal: the verdict of a gate first, then the tables of each cache state,
 * the totals first of them, last under which conditions.
 *
 * @param result - The benchmark.
 * @param settings - Whether to colour, and how wide.
 * @returns Lines without a final newline.
 */
export function renderBenchText(result: BenchReport, settings: TextSettings): string {
  const tables = splitByCache(result).flatMap(({ bench }) => {
    const { phases, limits, sources, comparisons, totals } = tabulateState(bench);
    return [totals, ...comparisons, ...limits, ...sources, phases];
  });
  return [
    ...drawGate(result, settings),
    ...[...tables, tabulateConditions(result)].map((table) => drawTextTable(table, settings)),
  ].join('\n\n');
}

function drawGate({ baseline }: BenchReport, settings: TextSettings): readonly string[] {
  if (baseline === null) return [];
  const { text, tone } = describeGate(baseline);
  const lines = wrapText(`${text}.`, textWidth(settings), settings.keepWords);
  return [lines.map((line) => paintText(line, tone, settings.colour)).join('\n')];
}
