import CliTable from 'cli-table3';
import { toPlainText } from '../plain-text.js';
import type { Cell, ReportTable } from '../tables/report-table.js';
import { paint } from './paint.js';
import { displayWidth, wrapText } from './wrap-text.js';

/** How text is drawn. */
export type TextSettings = { readonly colour: boolean };

const widthLimit = 110;
const gap = 2;
const shortestWrap = 12;

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
  middle: ' '.repeat(gap),
};

/**
 * Draws a table for a terminal: no lines, at most 110 columns as long as one column wraps, titles above.
 *
 * @param table - The table.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline; trailing spaces removed.
 */
export function drawTextTable(table: ReportTable, settings: TextSettings): string {
  const widths = planWidths(table);
  const drawn = new CliTable({
    chars: noLines,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...widths],
    colAligns: table.columns.map((column) => column.align),
  });
  const head = table.columns.map((column) => paint(column.title, 'faint', settings.colour));
  const rows = table.rows.map((row) =>
    row.map((item, index) => drawCell(item, widths[index] ?? widthLimit, settings)),
  );
  drawn.push(head, ...rows);
  const lines = drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  const notes = table.notes.flatMap((note) => wrapText(toPlainText(note), widthLimit));
  return [
    paint(table.title, 'strong', settings.colour),
    ...(table.rows.length === 0 ? [] : lines),
    ...notes.map((note) => paint(note, 'faint', settings.colour)),
  ].join('\n');
}

function drawCell(item: Cell, width: number, settings: TextSettings): string {
  return wrapText(toPlainText(item.text), width)
    .map((line) => paint(line, item.tone, settings.colour))
    .join('\n');
}

/** Natural widths; wrapping columns share what the others leave. */
function planWidths({ columns, rows }: ReportTable): readonly number[] {
  const natural = columns.map((column, index) =>
    Math.max(
      displayWidth(column.title),
      ...rows.map((row) => displayWidth(toPlainText(row[index]?.text ?? ''))),
      1,
    ),
  );
  const fixed = natural.reduce((sum, width, index) => sum + (columns[index]?.wraps ? 0 : width), 0);
  let room = widthLimit - fixed - gap * (columns.length - 1);
  let sharers = columns.filter((column) => column.wraps).length;
  return natural.map((width, index) => {
    if (!columns[index]?.wraps) return width;
    const given = Math.min(width, Math.max(shortestWrap, Math.floor(room / sharers)));
    room -= given;
    sharers -= 1;
    return given;
  });
}
