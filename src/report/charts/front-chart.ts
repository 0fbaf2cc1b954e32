import * as Plot from '@observablehq/plot';
import { formatBytes, formatMs } from '../../lib/format-quantity.js';
import { drawPlot, type Svg } from './draw-plot.js';
import { scatterFrame } from './scatter-frame.js';

/** What the chart shows of one way to open a model. */
export type FrontChartPoint = {
  readonly name: string;
  readonly totalMs: number;
  readonly steadyMs: number;
  readonly sizeBytes: number;
  /** Whether no other is better in one and as good in the rest. */
  readonly isOnFront: boolean;
};

/**
 * Draws total against steady state, with the bytes as the area of a dot: what is left of and below a dot beats it.
 *
 * @param title - What was tuned, for those who do not see the chart.
 * @param points - Those that were measured.
 * @returns An SVG with the front filled and named; null without points.
 */
export function drawFrontChart(title: string, points: readonly FrontChartPoint[]): Svg | null {
  if (points.length === 0) return null;
  const place = { x: 'totalMs', y: 'steadyMs' } as const;
  // Equal and near dots would write over each other: names stand below each other, in the order of totals.
  const front = points
    .filter((point) => point.isOnFront)
    .sort((left, right) => left.totalMs - right.totalMs)
    .map((point, index) => ({ ...point, words: `${index + 1}` }));
  return drawPlot({
    ...scatterFrame('total, milliseconds', 'one inference, milliseconds'),
    ariaLabel: `${title}: total against steady state in milliseconds, bytes as size`,
    r: { range: [0, 16], zero: true },
    marks: [
      Plot.gridX({ stroke: 'var(--grid)', strokeOpacity: 1 }),
      Plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1 }),
      Plot.dot(points, {
        ...place,
        r: 'sizeBytes',
        stroke: 'var(--accent)',
        strokeWidth: 1.5,
        fill: ({ isOnFront }: FrontChartPoint) => (isOnFront ? 'var(--accent)' : 'none'),
        fillOpacity: 0.35,
        title: describePoint,
      }),
      Plot.text(front, { ...place, text: 'words', textAnchor: 'start', dx: 20, fill: 'currentColor' }),
    ],
  });
}

function describePoint({ name, totalMs, steadyMs, sizeBytes, isOnFront }: FrontChartPoint): string {
  const front = isOnFront ? ', on the front' : '';
  return `${name}: total ${formatMs(totalMs)}, inference ${formatMs(steadyMs)}, ${formatBytes(sizeBytes)}${front}`;
}
