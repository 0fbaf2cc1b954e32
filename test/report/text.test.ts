import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayWidth, wrapText } from '../../src/lib/wrap-text.js';
import { tabulateTotals } from '../../src/report/tables/bench/totals-table.js';
import { cell, columns } from '../../src/report/tables/report-table.js';
import { drawTextTable } from '../../src/report/text/draw-table.js';
import { renderRunText } from '../../src/report/text/run-text.js';
import { makeDoubtfulView, makeSampleView } from './sample-view.js';

const escapeCode = '\u001b';
const table = (text: string) => ({
  title: 'Title',
  columns: columns('Name', '>Size', '~Why'),
  rows: [[cell('a'), cell('1 B', 'good'), cell(text)]],
  notes: [],
});

describe('text of a run', () => {
  test('reads like this', async () => {
    expect(renderRunText(await makeSampleView(), { colour: false })).toMatchSnapshot();
  });

  test('is at most 110 columns wide and never coloured unless asked', async () => {
    const text = renderRunText(await makeSampleView({ ms: 180, source: 'a guess' }), { colour: false });
    expect(Math.max(...text.split('\n').map(displayWidth))).toBeLessThanOrEqual(110);
    expect(text).not.toContain(escapeCode);
  });

  test('says the same in colour', async () => {
    const view = await makeSampleView();
    const coloured = renderRunText(view, { colour: true });
    expect(coloured).toContain(`${escapeCode}[32m`);
    const plain = coloured.replaceAll(new RegExp(`${escapeCode}\\[\\d+m`, 'g'), '');
    // cli-table3 pads after the closing code, so only trailing spaces may differ.
    const trim = (text: string) => text.split('\n').map((line) => line.trimEnd());
    expect(trim(plain)).toEqual(trim(renderRunText(view, { colour: false })));
  });

  test('adds a stated environment to total and ready, and says so', async () => {
    const text = renderRunText(await makeSampleView({ ms: 1000, source: 'logs of May' }), { colour: false });
    expect(text).toContain('Total and ready of layer hold 1000 ms of stated environment.');
    expect(text).toContain('Environment of layer is stated, not measured: logs of May');
    expect(text).toMatch(/fp32\.single +layer +7 +1170 ms/);
  });
});

test('the text of a run warns of a winner that nothing proves', async () => {
  const text = renderRunText(await makeDoubtfulView(), { colour: false });
  expect(text).toMatch(/fp16\.single +lazy +winner, parity not proven, over budget +318 ms/);
  expect(text.replaceAll(/\s+/g, ' ')).toContain('chosen although parity failed: 3 outside');
});

describe('a benchmark table', () => {
  const draw = async (p95: number | null) => {
    const { bench } = await makeSampleView();
    if (bench === null) throw new Error('the sample has a benchmark');
    const rows = bench.rows.slice(0, 1).map((row) => {
      const { totalMs } = row.phases;
      return { ...row, phases: { ...row.phases, totalMs: totalMs && { ...totalMs, p95 } } };
    });
    return drawTextTable(tabulateTotals({ ...bench, rows }), { colour: false });
  };

  test('has a p95 where there is one, and says what it takes elsewhere', async () => {
    expect(await draw(351)).toContain('351 ms');
    expect(await draw(351)).not.toContain('A p95 takes');
    expect(await draw(null)).not.toContain('351 ms');
    expect(await draw(null)).toContain('A p95 takes 20 samples or more per row.');
  });
});

describe('a text table in a narrow place', () => {
  const widest = (text: string) => Math.max(...text.split('\n').map(displayWidth));

  test.each([60, 80, 100, 120])('of %d columns keeps to them, and loses nothing', async (width) => {
    const view = await makeSampleView({ ms: 180, source: 'a guess' });
    const text = renderRunText({ ...view, publish: null }, { colour: false, width });
    expect(widest(text)).toBeLessThanOrEqual(width);
    const words = (drawn: string) => new Set(drawn.split(/\s+/));
    const wide = words(renderRunText({ ...view, publish: null }, { colour: false, width: 1000 }));
    expect([...wide].filter((word) => !words(text).has(word))).toEqual([]);
  });

  test('is drawn for 60 columns where there are fewer', async () => {
    const view = await makeSampleView();
    const at = (width: number) => renderRunText(view, { colour: false, width });
    expect(at(20)).toBe(at(60));
  });

  test('names the rows again in each block', async () => {
    const { bench } = await makeSampleView();
    if (bench === null) throw new Error('the sample has a benchmark');
    const text = drawTextTable(tabulateTotals(bench), { colour: false, width: 80 });
    expect(text.match(/^fp16-weights\.external +lazy/gm)).toHaveLength(2);
    expect(text.match(/^Variant +Delivery/gm)).toHaveLength(2);
  });

  test('breaks no word of up to 60 columns in the first column', () => {
    const name = (length: number) => 'n'.repeat(length);
    const draw = (first: string) =>
      drawTextTable(
        {
          title: 'Title',
          columns: columns('~Tensor', '~Scope', '>Size', '~Why'),
          rows: [[cell(first), cell('graph/If[3].then_branch'), cell('1 B'), cell('because '.repeat(9))]],
          notes: [],
        },
        { colour: false, width: 80 },
      );
    expect(draw(name(60))).toContain(name(60));
    expect(draw(name(61))).not.toContain(name(61));
    expect(widest(draw(name(300)))).toBeLessThanOrEqual(80);
  });

  test('breaks no word at all when it is asked to keep them', () => {
    const path = `/${'deeply-nested/'.repeat(20)}model.onnx`;
    const noted = { ...table(path), notes: [`see ${path}`] };
    const drawn = drawTextTable(noted, { colour: false, keepWords: true });
    expect(drawn.split(path)).toHaveLength(3);
    expect(drawn).not.toMatch(/^$/m);
  });
});

describe('a text table', () => {
  test('keeps every character of a long word without spaces', () => {
    const path = `/${'deeply-nested/'.repeat(20)}model.onnx`;
    const drawn = drawTextTable(table(path), { colour: false });
    expect(drawn.replaceAll(/\s/g, '')).toContain(path);
    expect(Math.max(...drawn.split('\n').map(displayWidth))).toBeLessThanOrEqual(110);
  });

  test('lets no name move the cursor or turn the text around', () => {
    const drawn = drawTextTable(table(`a${escapeCode}[2Jb\u202ec`), { colour: false });
    expect(drawn).toContain('a\ufffd[2Jb\ufffdc');
  });

  test('counts wide characters as two columns', () => {
    expect(displayWidth('モデル')).toBe(6);
    const lines = drawTextTable(table('モデル '.repeat(40).trim()), { colour: false }).split('\n');
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(110);
  });

  test('without rows shows its title and notes only', () => {
    const empty = { ...table(''), rows: [], notes: ['None.'] };
    expect(drawTextTable(empty, { colour: false })).toBe('Title\nNone.');
  });
});

test('wrapping loses nothing and keeps to the width', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 2, max: 40 }), (raw, width) => {
      const text = raw.replaceAll(/\s+/g, ' ');
      const lines = wrapText(text, width);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
});
