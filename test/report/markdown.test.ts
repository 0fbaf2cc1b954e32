import { describe, expect, test } from 'vitest';
import { escapeMarkdown } from '../../src/report/markdown/escape-markdown.js';
import { renderRunMarkdown } from '../../src/report/markdown/run-markdown.js';
import { makeSampleView } from './sample-view.js';

describe('Markdown of a run', () => {
  test('reads like this', async () => {
    expect(renderRunMarkdown(await makeSampleView())).toMatchSnapshot();
  });

  test('puts what to ship first and folds the details away', async () => {
    const text = renderRunMarkdown(await makeSampleView());
    expect(text.split('\n')[2]).toMatch(/^\*\*Ship `fp16-weights.external` by `s3-copy`\*\*/);
    expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
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
