import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cell, columns } from '../../src/report/tables/report-table.js';
import { drawTextTable } from '../../src/report/text/draw-table.js';
import { renderRunText } from '../../src/report/text/run-text.js';
import { displayWidth, wrapText } from '../../src/report/text/wrap-text.js';
import { makeSampleView } from './sample-view.js';

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
    expect(text).toMatch(/fp32\.single +layer +5 +1170 ms/);
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
