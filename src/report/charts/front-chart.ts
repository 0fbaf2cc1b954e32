import * as Plot from '@observablehq/plot';
import { formatBytes, formatMs } from '../../lib/format-quantity.js';
import { drawPlot, type Svg } from './draw-plot.js';
import { scatterFrame } from './scatter-frame.js';

/** What the chart shows of one way to open a model; null where it was not measured. */
export type FrontChartPoint = {
  readonly name: string;
  /** Session and first inference. */
  readonly readyMs: number | null;
  readonly steadyMs: number | null;
  readonly sizeBytes: number | null;
  /** Its place on the front, from 1, as the table has it; null for what another beats. */
  readonly place: number | null;
};

type Shown = FrontChartPoint & {
  readonly readyMs: number;
  readonly steadyMs: number;
  readonly sizeBytes: number;
};

/**
 * Draws readiness against steady state, with the bytes as the area of a dot: what is left of and below a dot beats it.
 *
 * @param title - What was tuned, for those who do not see the chart.
 * @param points - All configurations.
 * @returns An SVG with the front filled and numbered; null when nothing was measured.
 */
export function drawFrontChart(title: string, points: readonly FrontChartPoint[]): Svg | null {
  const shown = points.filter(isMeasured);
  if (shown.length === 0) return null;
  return drawPlot({
    ...scatterFrame('session and first inference, milliseconds', 'a further inference, milliseconds'),
    ariaLabel: `${title}: readiness against steady state in milliseconds, bytes as size`,
    r: { range: [0, 16], zero: true },
    marks: drawMarks(shown),
  });
}

function isMeasured(point: FrontChartPoint): point is Shown {
  return point.readyMs !== null && point.steadyMs !== null && point.sizeBytes !== null;
}

function drawMarks(shown: readonly Shown[]): Plot.Markish[] {
  const at = { x: 'readyMs', y: 'steadyMs' } as const;
  return [
    Plot.gridX({ stroke: 'var(--grid)', strokeOpacity: 1 }),
    Plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1 }),
    Plot.dot(shown, {
      ...at,
      r: 'sizeBytes',
      stroke: 'var(--accent)',
      strokeWidth: 1.5,
      fill: ({ place }: Shown) => (place === null ? 'none' : 'var(--accent)'),
      fillOpacity: 0.35,
      title: describePoint,
    }),
    Plot.text(
      shown.filter(({ place }) => place !== null),
      { ...at, text: ({ place }: Shown) => String(place), textAnchor: 'start', dx: 20, fill: 'currentColor' },
    ),
  ];
}

function describePoint({ name, readyMs, steadyMs, sizeBytes, place }: Shown): string {
  const front = place === null ? '' : `, ${place} on the front`;
  return `${name}: ready ${formatMs(readyMs)}, inference ${formatMs(steadyMs)}, ${formatBytes(sizeBytes)}${front}`;
}
