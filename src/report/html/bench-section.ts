import { listLegend } from '../charts/chart-rows.js';
import type { Charts } from '../charts/draw-charts.js';
import type { BenchReport } from '../documents/bench-result.js';
import { describeConditions, describeLinks, tabulateConditions } from '../tables/bench/conditions-table.js';
import { describeGate } from '../tables/bench/gate-line.js';
import { noteImitated } from '../tables/bench/name-row.js';
import { splitByCache } from '../tables/bench/split-by-cache.js';
import { tabulateState } from '../tables/bench/state-tables.js';
import { capitalise } from '../tables/write-value.js';
import { drawHtmlTable, marks } from './draw-html-table.js';
import { drawWords, escapeHtml } from './escape-html.js';

/**
 * Draws the benchmark: for each cache state a section with both charts and the same figures as tables, then what all
 * of it was measured under.
 *
 * @param bench - The benchmark.
 * @param charts - The charts of each cache state; none where no sample succeeded.
 * @returns HTML of sections.
 */
export function drawBenchSections(bench: BenchReport, charts: readonly (Charts | null)[]): readonly string[] {
  return [
    ...drawGate(bench),
    ...splitByCache(bench).map((group, index) => drawState(group.bench, charts[index] ?? null)),
    `<section class="titled" aria-labelledby="conditions"><h2 id="conditions">How it was measured</h2>\n${drawHtmlTable(tabulateConditions(bench))}\n</section>`,
  ];
}

function drawGate({ baseline }: BenchReport): readonly string[] {
  if (baseline === null) return [];
  const { text, tone } = describeGate(baseline);
  return [
    `<section class="gate ${tone}"><p class="${tone}">${marks[tone] ?? ''}${drawWords(text)}.</p></section>`,
  ];
}

function drawState(bench: BenchReport, charts: Charts | null): string {
  const id = `bench-${bench.cache.state}`;
  const { totals, comparisons, limits, sources, phases } = tabulateState(bench);
  return [
    `<section aria-labelledby="${id}">`,
    `<h2 id="${id}">Benchmark: ${escapeHtml(bench.cache.title)}</h2>`,
    ...(charts === null
      ? ['<p>No sample succeeded.</p>']
      : [drawPhasesFigure(bench, charts), drawTotalsFigure(bench, charts)]),
    ...[totals, ...comparisons, ...limits, ...sources, phases].map(drawHtmlTable),
    '</section>',
  ].join('\n');
}

function drawPhasesFigure(bench: BenchReport, charts: Charts): string {
  const lazy = bench.rows.some((row) => row.delivery === 'lazy')
    ? ' Lazy takes requests after start; the rest happens within the first one.'
    : '';
  const limit = bench.rows.some((row) => row.limit !== null)
    ? ' Upright line: where the session could be ready at best, at the physical limit.'
    : '';
  const legend = listLegend(bench).map(
    ({ title, colour }) => `<li><i style="background:${colour}"></i>${escapeHtml(title)}</li>`,
  );
  return [
    '<figure>',
    '<h3>Where the time goes</h3>',
    `<ul class="legend" aria-label="Phases">${legend.join('')}</ul>`,
    charts.phases,
    `<figcaption>The parts are medians per phase; the figure at the end is the median of the totals, as in the table, which need not be the sum of the parts.${limit}${lazy} ${drawWords(`${capitalise(describeConditions(bench))}.${describeMarks(bench)}`)}</figcaption>`,
    '</figure>',
  ].join('\n');
}

function describeMarks({ rows, profiles }: BenchReport): string {
  return noteImitated(rows, profiles)
    .map((note) => ` ${note}`)
    .join('');
}

function drawTotalsFigure(bench: BenchReport, charts: Charts): string {
  const hollow = bench.rows.some((row) => row.comparable.total !== null)
    ? ' Hollow and starred: not comparable, the total leaves something out.'
    : '';
  const outliers = bench.rows.some((row) => row.outliers.length > 0)
    ? ' Small hollow dots: outliers, which are part of every figure.'
    : '';
  const caption =
    `Line from the fastest to the slowest sample, dot and figure at the median.${hollow}${outliers} ` +
    `${capitalise(describeLinks(bench))}; ${bench.cache.title}.${describeMarks(bench)}`;
  return `<figure>\n<h3>Total: fastest, median, slowest</h3>\n${charts.totals}\n<figcaption>${drawWords(caption)}</figcaption>\n</figure>`;
}
