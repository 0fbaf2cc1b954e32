import * as Plot from '@observablehq/plot';
import { formatMs } from '../../lib/format-quantity.js';
import type { BenchReport } from '../documents/bench-result.js';
import { type ChartOutlier, type ChartSpread, listOutliers, listSpreads } from './chart-rows.js';
import { drawPlot, type Svg } from './draw-plot.js';
import { frameOf } from './frame.js';

/**
 * Draws the measured total of each row: a line from the fastest to the slowest sample and a dot at the median, hollow
 * where the total leaves something out; outliers are small hollow dots on the line.
 *
 * @param bench - The benchmark, with at least one measured row.
 * @returns An SVG, in milliseconds.
 */
export function drawTotalsChart(bench: BenchReport): Svg {
  const spreads = listSpreads(bench);
  const rows = spreads.map((spread) => spread.row);
  const title = ({ row, minMs, medianMs, maxMs }: ChartSpread) =>
    `${row}: ${formatMs(minMs)} to ${formatMs(maxMs)}, median ${formatMs(medianMs)}`;
  return drawPlot({
    ...frameOf(rows, 28, Math.max(...spreads.map((spread) => spread.maxMs))),
    ariaLabel: `Total per variant and delivery: lowest, median and highest, in milliseconds (${bench.cache.title})`,
    marks: [
      Plot.gridX({ stroke: 'var(--grid)', strokeOpacity: 1 }),
      Plot.ruleY(spreads, {
        y: 'row',
        x1: 'minMs',
        x2: 'maxMs',
        stroke: 'var(--accent)',
        strokeOpacity: 0.45,
        strokeWidth: 7,
        strokeLinecap: 'round',
        title,
      }),
      Plot.dot(spreads, {
        y: 'row',
        x: 'medianMs',
        r: 5,
        stroke: 'var(--accent)',
        strokeWidth: 2,
        fill: (spread: ChartSpread) => (spread.isComparable ? 'var(--accent)' : 'var(--surface)'),
        title,
      }),
      drawOutliers(bench),
      Plot.text(spreads, {
        y: 'row',
        x: 'maxMs',
        text: (spread: ChartSpread) => formatMs(spread.medianMs) + (spread.isComparable ? '' : ' *'),
        textAnchor: 'start',
        dx: 10,
        fill: 'currentColor',
      }),
    ],
  });
}

function drawOutliers(bench: BenchReport) {
  return Plot.dot(listOutliers(bench), {
    y: 'row',
    x: 'totalMs',
    r: 3.5,
    stroke: 'var(--warn)',
    strokeWidth: 1.5,
    fill: 'var(--surface)',
    title: ({ row, totalMs }: ChartOutlier) => `${row}: outlier ${formatMs(totalMs)}`,
  });
}
