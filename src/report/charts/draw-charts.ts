import type { BenchReport } from '../documents/bench-result.js';
import type { SweepReport } from '../documents/sweep-result.js';
import type { TuneReport } from '../documents/tune-result.js';
import type { Svg } from './draw-plot.js';
import { listTunePoints } from './tune-points.js';

/** The charts of a benchmark, as SVG. */
export type Charts = {
  /** Where the time went, stacked per row. */
  readonly phases: string;
  /** Lowest, median and highest total per row. */
  readonly totals: string;
};

/**
 * Draws the charts of a benchmark. What draws them takes a third of a second to load and is loaded only here, so that
 * commands without charts start without it.
 *
 * @param bench - The benchmark.
 * @returns The charts, or null when no sample succeeded.
 */
export async function drawCharts(bench: BenchReport): Promise<Charts | null> {
  if (bench.rows.every((row) => row.phases.totalMs === null)) return null;
  const [{ drawPhasesChart }, { drawTotalsChart }] = await Promise.all([
    import('./phases-chart.js'),
    import('./totals-chart.js'),
  ]);
  return { phases: drawPhasesChart(bench), totals: drawTotalsChart(bench) };
}

/**
 * Draws a sweep of workers × threads.
 *
 * @param sweep - The sweep.
 * @returns An SVG, or null when no combination has figures.
 */
export async function drawSweep(sweep: SweepReport): Promise<Svg | null> {
  if (sweep.points.every((point) => point.p95Ms === null)) return null;
  const { drawSweepChart } = await import('./sweep-chart.js');
  return drawSweepChart(sweep);
}

/**
 * Draws what tuning measured, with the front numbered as {@link listTunePoints} does.
 *
 * @param tune - The tuning of one variant.
 * @returns An SVG, or null when nothing was measured.
 */
export async function drawTuning(tune: TuneReport): Promise<Svg | null> {
  if (tune.configurations.every((each) => each.readyMs === null)) return null;
  const { drawFrontChart } = await import('./front-chart.js');
  return drawFrontChart(`Sessions of ${tune.variantId}`, listTunePoints(tune));
}
