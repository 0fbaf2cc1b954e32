import * as Plot from '@observablehq/plot';
import { formatMs } from '../../lib/format-quantity.js';
import type { BenchReport } from '../documents/bench-result.js';
import { addEnvironment } from '../tables/add-environment.js';
import {
  type ChartLimit,
  type ChartPiece,
  chartPhases,
  listLimits,
  nameRow,
  stackPhases,
} from './chart-rows.js';
import { drawPlot, type Svg } from './draw-plot.js';
import { frameOf } from './frame.js';

/**
 * Draws where the time of each row went, as one stacked bar per variant and delivery.
 *
 * @param bench - The benchmark, with at least one measured row.
 * @returns An SVG of medians per phase, in milliseconds.
 */
export function drawPhasesChart(bench: BenchReport): Svg {
  const pieces = stackPhases(bench);
  const rows = bench.rows.map((row) => nameRow(row, bench.profiles));
  const ends = listEnds(bench, pieces);
  return drawPlot({
    ...frameOf(rows, 34, Math.max(...ends.map((end) => end.endMs))),
    ariaLabel: `Median phases per variant and delivery, stacked, in milliseconds (${bench.cache.title})`,
    color: {
      domain: chartPhases.map((phase) => phase.title),
      range: chartPhases.map((phase) => phase.colour),
    },
    marks: [
      Plot.gridX({ stroke: 'var(--grid)', strokeOpacity: 1 }),
      Plot.barX(pieces, {
        y: 'row',
        x1: 'startMs',
        x2: 'endMs',
        fill: 'phase',
        insetTop: 4,
        insetBottom: 4,
        title: (piece: (typeof pieces)[number]) =>
          `${piece.row}: ${piece.phase} ${formatMs(piece.endMs - piece.startMs)}`,
      }),
      drawLimits(bench),
      Plot.text(ends, {
        y: 'row',
        x: 'endMs',
        text: 'words',
        textAnchor: 'start',
        dx: 6,
        fill: 'currentColor',
      }),
    ],
  });
}

/** The median of the sums, as tables have it and rows are compared by: medians of the parts do not add up to it. */
function listEnds(bench: BenchReport, pieces: readonly ChartPiece[]) {
  return bench.rows.flatMap((benchRow) => {
    const row = nameRow(benchRow, bench.profiles);
    const endMs = Math.max(0, ...pieces.filter((piece) => piece.row === row).map((piece) => piece.endMs));
    const star = benchRow.comparable.total === null ? '' : ' *';
    const total = addEnvironment(benchRow.phases.totalMs, benchRow.environment);
    return endMs > 0 && total !== null ? [{ row, endMs, words: formatMs(total.median) + star }] : [];
  });
}

function drawLimits(bench: BenchReport) {
  return Plot.tickX(listLimits(bench), {
    y: 'row',
    x: 'endMs',
    stroke: 'currentColor',
    strokeWidth: 2,
    insetTop: 1,
    insetBottom: 1,
    title: ({ row, loadMs }: ChartLimit) => `${row}: physical limit of the load ${formatMs(loadMs)}`,
  });
}
