import { parseHTML } from 'linkedom';
import { describe, expect, test } from 'vitest';
import { renderRunHtml } from '../../src/report/html/run-html.js';
import { renderRunMarkdown } from '../../src/report/markdown/run-markdown.js';
import { renderRunText } from '../../src/report/text/run-text.js';
import { sampleSweep, sampleTune } from './sample-sessions.js';
import { makeSampleView } from './sample-view.js';

const view = { ...(await makeSampleView()), sweeps: [sampleSweep], tunes: [sampleTune] };
const { document } = parseHTML(await renderRunHtml(view));
const section = (id: string) => document.querySelector(`section[aria-labelledby=${id}]`);

describe('the sections on open sessions', () => {
  test('draw throughput against latency, one dot per combination that was measured, the best filled', () => {
    const svg = section('sweeps')?.querySelector('figure svg');
    const dots = [...(svg?.querySelectorAll('g[aria-label=dot] circle') ?? [])];
    expect(dots).toHaveLength(3);
    const filled = dots.filter((dot) => dot.getAttribute('fill') === 'var(--accent)');
    expect(filled.map((dot) => dot.textContent)).toEqual([
      '1 × 2: 7.10 per second, p95 140.0 ms',
      '2 × 1: 7.90 per second, p95 300.0 ms',
    ]);
    expect(section('sweeps')?.querySelectorAll('tbody tr')).toHaveLength(4);
  });

  test('draw readiness against steady state, with the front numbered from the readiest on', () => {
    const svg = section('tuning')?.querySelector('figure svg');
    expect(svg?.querySelectorAll('g[aria-label=dot] circle')).toHaveLength(2);
    expect(section('tuning')?.querySelector('figcaption')?.textContent).toContain(
      '1: expanded, optimisation all, no prepacking; 2: own, optimisation all, prepacking.',
    );
  });

  test('are left out of a run without such measurements', async () => {
    const page = await renderRunHtml(await makeSampleView());
    expect(page).not.toContain('workers × threads');
    expect(page).not.toContain('Session options');
  });

  test('have no chart when nothing could be measured, but say what failed', async () => {
    const sweeps = [{ ...sampleSweep, points: sampleSweep.points.slice(-1) }];
    const tunes = [{ ...sampleTune, configurations: sampleTune.configurations.slice(-1), front: [] }];
    const page = parseHTML(await renderRunHtml({ ...view, sweeps, tunes })).document;
    const failed = page.querySelector('section[aria-labelledby=sweeps]');
    expect(failed?.querySelector('svg')).toBeNull();
    expect(failed?.textContent).toContain('failed: sweep-worker-died');
    expect(page.querySelector('section[aria-labelledby=tuning] svg')).toBeNull();
  });

  test('stand in Markdown and on the terminal as tables', () => {
    for (const text of [renderRunMarkdown(view), renderRunText(view, { colour: false })]) {
      expect(text).toContain('Steady state of fp32.external, 4,096 MiB');
      expect(text).toContain('Sessions of fp16-weights.external, whole machine');
    }
  });
});
