import { drawSweep, drawTuning } from '../charts/draw-charts.js';
import { listTunePoints } from '../charts/tune-points.js';
import type { SweepReport } from '../documents/sweep-result.js';
import type { TuneReport } from '../documents/tune-result.js';
import type { RunView } from '../run-view.js';
import { tabulateSweep } from '../tables/sweep-table.js';
import { tabulateTuning } from '../tables/tune-table.js';
import { drawHtmlTable } from './draw-html-table.js';
import { escapeHtml } from './escape-html.js';

/**
 * Draws what was measured of sessions once they are open: how they were chosen, and workers × threads.
 *
 * @param view - The run.
 * @returns HTML of sections; none for what was not measured.
 */
export async function drawSessionSections({ tunes, sweeps }: RunView): Promise<readonly string[]> {
  const tuned = await Promise.all(tunes.map(drawTune));
  const swept = await Promise.all(sweeps.map(drawWorkers));
  return [
    ...drawSection('tuning', 'Session options', tuned),
    ...drawSection('sweeps', 'Steady state: workers × threads', swept),
  ];
}

function drawSection(id: string, title: string, parts: readonly string[]): readonly string[] {
  if (parts.length === 0) return [];
  return [`<section aria-labelledby="${id}">\n<h2 id="${id}">${title}</h2>\n${parts.join('\n')}\n</section>`];
}

async function drawTune(tune: TuneReport): Promise<string> {
  const chart = await drawTuning(tune);
  const front = listTunePoints(tune)
    .filter(({ place }) => place !== null)
    .sort((left, right) => (left.place ?? 0) - (right.place ?? 0))
    .map(({ place, name }) => `${place}: ${name}`);
  const caption =
    'What is left of and below a dot beats it; the area is what lies on disk. Filled and numbered: nothing else is as good ' +
    `in all three and better in one. ${front.join('; ')}.`;
  return `${drawFigure(`Opening against steady state: ${tune.variantId}`, chart, caption)}${drawHtmlTable(tabulateTuning(tune))}`;
}

async function drawWorkers(sweep: SweepReport): Promise<string> {
  const chart = await drawSweep(sweep);
  const caption =
    'Right is more inferences per second, low is a short wait. Filled: best for latency and for throughput.';
  return `${drawFigure(`Throughput against latency: ${sweep.variantId}`, chart, caption)}${drawHtmlTable(tabulateSweep(sweep))}`;
}

function drawFigure(title: string, chart: string | null, caption: string): string {
  if (chart === null) return '';
  return `<figure>\n<h3>${escapeHtml(title)}</h3>\n${chart}\n<figcaption>${escapeHtml(caption)}</figcaption>\n</figure>\n`;
}
