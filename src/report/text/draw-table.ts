import { paintText } from '../../lib/paint-text.js';
import { requirePackage } from '../../lib/require-package.js';
import { wrapText } from '../../lib/wrap-text.js';
import { toPlainText } from '../plain-text.js';
import type { Cell, ReportTable } from '../tables/report-table.js';
import { columnGap, fitTable } from './plan-widths.js';

/** How text is drawn. */
export type TextSettings = {
  readonly colour: boolean;
  /** Columns of the terminal, 60 and up; 110 when it is not given. */
  readonly width?: number | undefined;
  /** Rather a longer line than a broken word: for text that a program reads, not a terminal. */
  readonly keepWords?: boolean | undefined;
};

const usualWidth = 110;
const leastWidth = 60;

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(columnGap),
};

/**
 * Draws a table for a terminal: no lines, titles above, within the width. What does not fit beside the rest is drawn
 * below it, with the columns that name the rows again.
 *
 * @param table - The table.
 * @param settings - Whether to colour, and how wide.
 * @returns Lines without a final newline; trailing spaces removed.
 */
export function drawTextTable(table: ReportTable, settings: TextSettings): string {
  const width = textWidth(settings);
  const blocks = fitTable(table, width, settings.keepWords === true).map(({ table: block, widths }) =>
    drawBlock(block, widths, settings),
  );
  const notes = table.notes.flatMap((note) => wrapText(toPlainText(note), width, settings.keepWords));
  return [
    ...wrapText(table.title, width).map((line) => paintText(line, 'strong', settings.colour)),
    ...(table.rows.length === 0 ? [] : [blocks.join('\n\n')]),
    ...notes.map((note) => paintText(note, 'faint', settings.colour)),
  ].join('\n');
}

/**
 * Says how wide text may be.
 *
 * @param settings - The width of the terminal, if it is one.
 * @returns Columns.
 */
export function textWidth({ width }: TextSettings): number {
  return Math.max(leastWidth, width ?? usualWidth);
}

function drawBlock(table: ReportTable, widths: readonly number[], settings: TextSettings): string {
  // Commands that draw no table would wait for it.
  const CliTable = requirePackage('cli-table3') as typeof import('cli-table3');
  const drawn = new CliTable({
    chars: noLines,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...widths],
    colAligns: table.columns.map((column) => column.align),
  });
  const head = table.columns.map((column, index) =>
    drawLines([column.title], 'faint', widths[index] ?? 1, settings),
  );
  const rows = table.rows.map((row) =>
    row.map(({ text, tone, more }, index) => drawLines([text, ...more], tone, widths[index] ?? 1, settings)),
  );
  drawn.push(head, ...rows);
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

function drawLines(
  texts: readonly string[],
  tone: Cell['tone'],
  width: number,
  settings: TextSettings,
): string {
  return texts
    .flatMap((text) => wrapText(toPlainText(text), width))
    .map((line) => paintText(line, tone, settings.colour))
    .join('\n');
}
