import * as Plot from '@observablehq/plot';
import { drawPlot, type Svg } from './draw-plot.js';
import { scatterFrame } from './scatter-frame.js';

/** What the chart shows of one combination. */
type SweepChartPoint = {
  readonly workers: number;
  readonly threads: number;
  readonly p95Ms: number | null;
  readonly throughputPerSecond: number | null;
};

/** What the chart shows of a sweep. */
export type SweepChartSource = {
  readonly variantId: string;
  readonly points: readonly SweepChartPoint[];
  /** Positions in `points`. */
  readonly best: { readonly latency: number | null; readonly throughput: number | null };
};

/**
 * Draws what each combination of workers and threads gives: inferences per second against how long the slow ones take.
 *
 * @param sweep - A sweep.
 * @returns An SVG with the best two filled; null when no combination has both figures.
 */
export function drawSweepChart({ variantId, points, best }: SweepChartSource): Svg | null {
  const shown = points.flatMap(({ workers, threads, p95Ms, throughputPerSecond }, index) =>
    p95Ms === null || throughputPerSecond === null
      ? []
      : [
          {
            words: `${workers} × ${threads}`,
            p95Ms,
            throughputPerSecond,
            isBest: index === best.latency || index === best.throughput,
          },
        ],
  );
  if (shown.length === 0) return null;
  return drawPlot({
    ...scatterFrame('inferences per second, all workers together', 'p95 of an inference, milliseconds'),
    ariaLabel: `Workers × threads of ${variantId}: inferences per second against the p95 in milliseconds`,
    marks: drawMarks(shown),
  });
}

type Shown = {
  readonly words: string;
  readonly p95Ms: number;
  readonly throughputPerSecond: number;
  readonly isBest: boolean;
};

function drawMarks(shown: readonly Shown[]): Plot.Markish[] {
  const place = { x: 'throughputPerSecond', y: 'p95Ms' } as const;
  return [
    Plot.gridX({ stroke: 'var(--grid)', strokeOpacity: 1 }),
    Plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1 }),
    Plot.dot(shown, {
      ...place,
      r: 6,
      stroke: 'var(--accent)',
      strokeWidth: 2,
      fill: ({ isBest }: Shown) => (isBest ? 'var(--accent)' : 'var(--surface)'),
      title: ({ words, p95Ms, throughputPerSecond }: Shown) =>
        `${words}: ${throughputPerSecond.toFixed(2)} per second, p95 ${p95Ms.toFixed(1)} ms`,
    }),
    Plot.text(shown, { ...place, text: 'words', textAnchor: 'start', dx: 11, fill: 'currentColor' }),
  ];
}
