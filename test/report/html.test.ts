import { parseHTML } from 'linkedom';
import { describe, expect, test } from 'vitest';
import { renderRunHtml } from '../../src/report/html/run-html.js';
import type { RunView } from '../../src/report/run-view.js';
import { makeRichView } from './rich-view.js';
import { makeDoubtfulView, makeSampleView } from './sample-view.js';

const view = await makeSampleView();
const html = await renderRunHtml(view);
const { document } = parseHTML(html);
const textOf = (selector: string) => document.querySelector(selector)?.textContent ?? '';

describe('the page of a run', () => {
  test('is self-contained: no scripts, no handlers, nothing loaded from elsewhere', () => {
    expect(document.querySelectorAll('script, link, img, iframe, object, embed')).toHaveLength(0);
    expect(html).not.toMatch(/\son\w+=/);
    const addresses = [...html.matchAll(/(?:href|src|url)\s*[=(]\s*["']?([^"')\s>]+)/g)].map(
      (found) => found[1],
    );
    expect(addresses).toEqual([]);
    expect(html).toContain("default-src 'none'");
  });

  test('can be read without seeing it: title, language, captions, headers of rows and columns, named charts', () => {
    expect(textOf('title')).toBe('ppocr-v4-rec: optimise-model report');
    expect(document.documentElement?.getAttribute('lang')).toBe('en');
    for (const table of document.querySelectorAll('table')) {
      expect(table.querySelector('caption')?.textContent).not.toBe('');
      expect(table.querySelectorAll('thead th[scope=col]').length).toBeGreaterThan(1);
      expect(table.querySelectorAll('tbody th[scope=row]').length).toBe(
        table.querySelectorAll('tbody tr').length,
      );
    }
    const charts = [...document.querySelectorAll('figure svg')];
    expect(charts).toHaveLength(2);
    for (const chart of charts) expect(chart.getAttribute('aria-label')).toContain('milliseconds');
  });

  test('follows the reader’s light or dark setting', () => {
    expect(html).toContain('prefers-color-scheme: dark');
  });

  test('draws one bar piece per phase and row, with a legend of what is shown', () => {
    const bench = view.bench;
    const measured = bench?.rows.flatMap((row) => [
      row.phases.startMs,
      row.phases.runtimeMs,
      row.phases.downloadMs,
      row.phases.sessionMs,
      row.phases.firstInferenceMs,
    ]);
    const drawn = (measured ?? []).filter((spread) => (spread?.median ?? 0) > 0).length;
    expect(document.querySelector('figure svg')?.querySelectorAll('g[aria-label=bar] rect')).toHaveLength(
      drawn,
    );
    expect(textOf('ul.legend')).toBe('startruntimedownloadsessionfirst inference');
  });

  test('says in the captions that the link was simulated and what the caches held', () => {
    for (const caption of document.querySelectorAll('figcaption')) {
      expect(caption.textContent).toContain('imulated');
      expect(caption.textContent).toContain('cold start, files evicted');
    }
  });

  test('writes the median of the totals at the end of a bar, not the sum of its parts', async () => {
    const [row, ...rows] = view.bench?.rows ?? [];
    if (view.bench === null || row?.phases.totalMs == null) throw new Error('the sample has rows');
    const phases = { ...row.phases, totalMs: { ...row.phases.totalMs, median: 489 } };
    const bench = { ...view.bench, rows: [{ ...row, phases }, ...rows] };
    const page = parseHTML(await renderRunHtml({ ...view, bench })).document;
    const [phasesChart, totalsChart] = page.querySelectorAll('figure svg');
    for (const chart of [phasesChart, totalsChart]) expect(chart?.textContent).toContain('489 ms');
    expect(phasesChart?.textContent).not.toContain('314 ms');
    expect(page.querySelector('figcaption')?.textContent).toContain(
      'The parts are medians per phase; the figure at the end is the median of the totals',
    );
  });

  test('adds a stated environment to the figure at the end of a bar', async () => {
    const stated = parseHTML(
      await renderRunHtml(await makeSampleView({ ms: 1000, source: 'logs' })),
    ).document;
    expect(stated.querySelector('figure svg')?.textContent).toContain('1170 ms');
  });

  test('says when the benchmark was measured, not when it was last reused', () => {
    expect(textOf('header')).toContain('measured 2026-11-29 17:01 UTC');
    expect(textOf('header')).not.toContain('2026-11-30');
  });

  test('marks what a step came to', () => {
    const steps = [...document.querySelectorAll('section[aria-labelledby=steps] tbody tr')].map((row) =>
      [...row.querySelectorAll('th, td')].slice(0, 2).map((item) => item.textContent),
    );
    expect(steps).toContainEqual(['validate fp16.single', '✗ no']);
    expect(steps).toContainEqual(['validate fp16-weights.single', '✓ done']);
  });

  test('keeps findings of one kind in one row, the rest of them folded', () => {
    const rows = [...document.querySelectorAll('section[aria-labelledby=findings] tbody tr')];
    const memory = rows.filter((row) => row.textContent?.includes('in memory while it opens'));
    expect(memory).toHaveLength(1);
    expect(memory[0]?.querySelector('th')?.textContent).toBe('info (2)');
    expect(memory[0]?.querySelector('details summary')?.textContent).toBe('and 1 more');
    expect(memory[0]?.querySelector('details')?.textContent).toContain('fp16-weights.single by lazy');
  });

  test('warns in the headline of a winner that nothing proves', async () => {
    const page = parseHTML(await renderRunHtml(await makeDoubtfulView())).document;
    const headline = page.querySelector('section.headline.doubtful');
    expect(headline?.querySelector('.warn')?.textContent).toBe('⚠ parity not proven, over budget');
    expect(headline?.textContent).toContain('chosen although parity failed: 3 outside');
    expect(document.querySelector('section.doubtful')).toBeNull();
  });

  test('never says "cold start" of figures with cached files', async () => {
    const rows = view.bench?.rows.map((row) => ({ ...row, cache: 'warm' as const })) ?? [];
    const bench = view.bench === null ? null : { ...view.bench, rows, comparisons: [] };
    const page = await renderRunHtml({ ...view, bench });
    expect(page.toLowerCase()).not.toContain('cold start');
    expect(page).toContain('Benchmark: process start, files cached');
  });

  test('draws charts and tables for each cache state by itself', async () => {
    const page = parseHTML(await renderRunHtml(await makeRichView())).document;
    const sections = [...page.querySelectorAll('section[aria-labelledby^=bench-]')];
    expect(sections.map((section) => section.querySelector('h2')?.textContent)).toEqual([
      'Benchmark: cold start, files evicted',
      'Benchmark: process start, files cached',
    ]);
    const [evicted, warm] = sections;
    expect(evicted?.textContent).not.toContain('· lazy');
    expect(warm?.textContent).toContain('· lazy · 2,048 MiB');
    expect(warm?.textContent?.toLowerCase()).not.toContain('cold start');
    for (const section of sections) expect(section.querySelectorAll('figure svg')).toHaveLength(2);
    const ids = [...page.querySelectorAll('[id]')].map((element) => element.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('draws the physical limit as a line on each bar whose limit is known', () => {
    const chart = document.querySelector('figure svg');
    expect(chart?.querySelectorAll('g[aria-label=tick] line')).toHaveLength(16);
    expect(chart?.textContent).toContain('physical limit of the load 158 ms');
  });

  test('draws outliers as hollow dots', () => {
    const [, totals] = document.querySelectorAll('figure svg');
    const dots = totals?.querySelectorAll('g[aria-label=dot][fill="var(--surface)"] circle');
    expect(dots).toHaveLength(1);
    expect(dots?.[0]?.textContent).toContain('fp32.single · s3-copy: outlier 358 ms');
  });

  test('says the verdict of a gate above the charts', async () => {
    const page = parseHTML(await renderRunHtml(await makeRichView())).document;
    expect(page.querySelector('section.gate + section h2')?.textContent).toContain('Benchmark');
    expect(page.querySelector('section.gate .warn')?.textContent).toMatch(/^⚠ Gate: fp16\.single by s3-copy/);
    expect(document.querySelector('section.gate')).toBeNull();
  });

  test('counts seconds along the axis of long times', async () => {
    const page = parseHTML(await renderRunHtml(await makeRichView())).document;
    expect(page.querySelector('figure svg')?.textContent).toContain('seconds');
    expect(document.querySelector('figure svg')?.textContent).toContain('milliseconds');
  });

  test('says that a link was simulated even when its label does not', async () => {
    const bench = view.bench === null ? null : { ...view.bench, link: { ...view.bench.link, label: 'slow' } };
    expect(await renderRunHtml({ ...view, bench })).toContain('Simulated link: slow');
  });

  test('shows hostile names as text', async () => {
    const name = '<script>alert(1)</script>" onload="x';
    const hostile = await renderRunHtml({ ...view, name, model: { ...view.model, path: name } });
    const page = parseHTML(hostile).document;
    expect(page.querySelectorAll('script')).toHaveLength(0);
    expect(page.querySelector('h1')?.textContent).toBe(name);
  });

  test('shows hostile names in charts as text', async () => {
    const name = '</svg><script>alert(1)</script>';
    const [row, ...rows] = view.bench?.rows ?? [];
    if (view.bench === null || row === undefined) throw new Error('the sample has rows');
    const bench = { ...view.bench, rows: [{ ...row, variantId: name }, ...rows] };
    const page = parseHTML(await renderRunHtml({ ...view, bench })).document;
    expect(page.querySelectorAll('script')).toHaveLength(0);
    expect(page.querySelector('figure svg')?.textContent).toContain(name);
  });

  test('draws a run that has got nowhere yet', async () => {
    const none: RunView = {
      ...view,
      steps: [],
      variants: [],
      parity: [],
      budgets: null,
      bench: null,
      pick: null,
      publish: null,
      findings: [],
    };
    expect(await renderRunHtml(none)).toContain('Nothing has been picked from this measurement yet.');
  });

  test('draws a benchmark in which every sample failed', async () => {
    if (view.bench === null) throw new Error('the sample has a benchmark');
    const rows = view.bench.rows.map((row) => ({
      ...row,
      failures: row.runs,
      peakRssBytes: null,
      phases: Object.fromEntries(Object.keys(row.phases).map((name) => [name, null])) as typeof row.phases,
    }));
    const page = await renderRunHtml({ ...view, bench: { ...view.bench, rows } });
    expect(page).toContain('No sample succeeded.');
    expect(page).toContain('7 (7 failed)');
  });
});
