import { parseHTML } from 'linkedom';
import { describe, expect, test } from 'vitest';
import { renderRunHtml } from '../../src/report/html/run-html.js';
import type { RunView } from '../../src/report/run-view.js';
import { makeSampleView } from './sample-view.js';

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
      expect(caption.textContent).toContain('process start, files cached');
    }
  });

  test('never says "cold start" of figures with cached files', () => {
    expect(html.toLowerCase()).not.toContain('cold start');
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
    expect(await renderRunHtml(none)).toContain('Nothing has been picked yet.');
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
    expect(page).toContain('5 (5 failed)');
  });
});
