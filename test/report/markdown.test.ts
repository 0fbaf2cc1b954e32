import { describe, expect, test } from 'vitest';
import { escapeMarkdown } from '../../src/report/markdown/escape-markdown.js';
import { renderRunMarkdown } from '../../src/report/markdown/run-markdown.js';
import { makeRichView } from './rich-view.js';
import { makeDoubtfulView, makeSampleView } from './sample-view.js';

describe('Markdown of a run', () => {
  test('reads like this', async () => {
    expect(renderRunMarkdown(await makeSampleView())).toMatchSnapshot();
  });

  test('puts what to ship first and folds the details away', async () => {
    const text = renderRunMarkdown(await makeSampleView());
    expect(text.split('\n')[2]).toMatch(
      /^\*\*Ship `fp16-weights.single` by `stream`\*\*: lowest total, 214 ms; within the noise/,
    );
    expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
  });

  test('says of when the figures are, not of when they were last looked at', async () => {
    const view = await makeSampleView();
    expect(renderRunMarkdown(view)).toContain('Measured 2026-11-29 17:01 UTC.');
    const tuned = { ...view.steps[0], verb: 'bench', subject: 'tune fp32.single' };
    const longer = [tuned, ...view.steps] as typeof view.steps;
    expect(renderRunMarkdown({ ...view, steps: longer })).toContain('Measured 2026-11-29 17:01 UTC.');
    const steps = view.steps.filter((step) => step.verb !== 'bench');
    expect(renderRunMarkdown({ ...view, steps })).toContain('Run of 2026-11-30 16:05 UTC.');
  });

  test('warns in the headline of a winner that nothing proves', async () => {
    expect(renderRunMarkdown(await makeDoubtfulView()).split('\n')[2]).toMatch(
      /^\*\*Ship `fp16.single` by `lazy`\*\* ⚠️ \*\*parity not proven, over budget\*\*: .*chosen although parity failed: 3 outside/,
    );
  });

  test('marks a step that came out against what it looked at', async () => {
    const text = renderRunMarkdown(await makeSampleView());
    expect(text).toMatch(/\| validate fp16\.single +\| ❌ no +\|/);
    expect(text).toMatch(/\| validate fp16-weights\.single +\| ✅ done +\|/);
  });

  test('keeps findings of one kind in one row', async () => {
    const text = renderRunMarkdown(await makeSampleView());
    const [row, ...others] = text.split('\n').filter((line) => line.includes('in memory while it opens'));
    expect(others).toEqual([]);
    expect(row).toMatch(/^\| info \(2\) +\| fp32\.single by lazy .*<br>fp16-weights\.single by lazy /);
  });

  test('has one open table of totals per cache state, the verdict of a gate above them', async () => {
    const text = renderRunMarkdown(await makeRichView());
    const titles = text.split('\n').filter((line) => line.startsWith('### '));
    expect(titles).toContain('### Benchmark: cold start, files evicted');
    expect(titles).toContain('### Benchmark: process start, files cached');
    expect(titles).toContain('### Where the model comes from: cold start, files evicted');
    expect(text.split('\n')[4]).toMatch(/^⚠️ Gate: fp16\.single by s3-copy at 2,048 MiB is 1\.12 ×/);
  });

  test('says plainly when no candidate is left', async () => {
    const view = await makeSampleView();
    const pick = view.pick === null ? null : { ...view.pick, winner: null };
    expect(renderRunMarkdown({ ...view, pick })).toContain('**No candidate is left.**');
  });
});

describe('text in Markdown', () => {
  test('is never markup, a table border, HTML or a mention', () => {
    expect(escapeMarkdown('a|b *c* <img src=x> [d](e) @team')).toBe(
      'a\\|b \\*c\\* &lt;img src=x&gt; \\[d\\](e) @\u2060team',
    );
  });

  test('keeps code as code, with its table borders escaped', () => {
    expect(escapeMarkdown('use `a_b|c` and x_y')).toBe('use `a_b\\|c` and x\\_y');
  });

  test('stays on one line', () => {
    expect(escapeMarkdown('a\n\n# b')).toBe('a \\# b');
  });
});
