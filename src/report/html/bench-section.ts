import { listLegend } from '../charts/chart-rows.js';
import type { Charts } from '../charts/draw-charts.js';
import type { BenchReport } from '../documents/bench-result.js';
import { describeConditions, describeLink, tabulatePhases, tabulateTotals } from '../tables/bench-tables.js';
import { capitalise } from '../tables/write-value.js';
import { drawHtmlTable } from './draw-html-table.js';
import { drawWords, escapeHtml } from './escape-html.js';

/**
 * Draws the benchmark: both charts with their conditions, and the same figures as tables.
 *
 * @param bench - The benchmark.
 * @param charts - Its charts; null when no sample succeeded.
 * @returns HTML of one section.
 */
export function drawBenchSection(bench: BenchReport, charts: Charts | null): string {
  return [
    '<section aria-labelledby="bench">',
    `<h2 id="bench">Benchmark: ${escapeHtml(bench.cache.title)}</h2>`,
    ...(charts === null
      ? ['<p>No sample succeeded.</p>']
      : [drawPhasesFigure(bench, charts), drawTotalsFigure(bench, charts)]),
    drawHtmlTable(tabulateTotals(bench)),
    drawHtmlTable(tabulatePhases(bench)),
    '</section>',
  ].join('\n');
}

function drawPhasesFigure(bench: BenchReport, charts: Charts): string {
  const lazy = bench.rows.some((row) => row.delivery === 'lazy')
    ? ' Lazy takes requests after start; the rest happens within the first one.'
    : '';
  const legend = listLegend(bench).map(
    ({ title, colour }) => `<li><i style="background:${colour}"></i>${escapeHtml(title)}</li>`,
  );
  return [
    '<figure>',
    '<h3>Where the time goes</h3>',
    `<ul class="legend" aria-label="Phases">${legend.join('')}</ul>`,
    charts.phases,
    `<figcaption>The parts are medians per phase; the figure at the end is the median of the totals, as in the table, which need not be the sum of the parts.${lazy} ${drawWords(capitalise(describeConditions(bench)))}.</figcaption>`,
    '</figure>',
  ].join('\n');
}

function drawTotalsFigure(bench: BenchReport, charts: Charts): string {
  const hollow = bench.rows.some((row) => row.comparable.total !== null)
    ? ' Hollow and starred: not comparable, the total leaves something out.'
    : '';
  const caption =
    `Line from the fastest to the slowest sample, dot and figure at the median.${hollow} ` +
    `${capitalise(describeLink(bench.link))}; ${bench.cache.title}.`;
  return `<figure>\n<h3>Total: fastest, median, slowest</h3>\n${charts.totals}\n<figcaption>${drawWords(caption)}</figcaption>\n</figure>`;
}
