import type { BenchReport } from '../documents/bench-result.js';

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
