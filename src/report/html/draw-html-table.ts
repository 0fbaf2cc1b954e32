import type { Cell, Column, ReportTable } from '../tables/report-table.js';
import { drawWords, escapeHtml } from './escape-html.js';

/**
 * Draws a table with a caption, column headers and row headers, so that screen readers can follow it.
 *
 * @param table - The table.
 * @returns HTML; the notes below it.
 */
export function drawHtmlTable(table: ReportTable): string {
  const head = table.columns
    .map((column) => `<th scope="col"${classOf(column)}>${escapeHtml(column.title)}</th>`)
    .join('');
  const rows = table.rows.map(
    (row) => `<tr>${row.map((item, index) => drawCell(item, index, table.columns)).join('')}</tr>`,
  );
  const notes = table.notes.map((note) => `<p class="note">${drawWords(note)}</p>`);
  const drawn =
    rows.length === 0
      ? []
      : [
          `<div class="scroll" role="region" aria-label="${escapeHtml(table.title)}" tabindex="0"><table>`,
          `<caption>${escapeHtml(table.title)}</caption>`,
          `<thead><tr>${head}</tr></thead>`,
          `<tbody>${rows.join('\n')}</tbody>`,
          '</table></div>',
        ];
  return [...drawn, ...notes].join('\n');
}

/** What stands before words in a tone: a colour is never the only carrier of a meaning. */
export const marks: Readonly<Record<string, string>> = { good: '✓ ', bad: '✗ ', warn: '⚠ ' };

function drawCell(item: Cell, index: number, columns: readonly Column[]): string {
  const column = columns[index] ?? { title: '', align: 'left', wraps: false, names: false };
  const words = `${marks[item.tone] ?? ''}${drawWords(item.text)}`;
  const first = item.tone === 'plain' ? words : `<span class="${item.tone}">${words}</span>`;
  const shown = `${first}${foldMore(item.more)}`;
  return index === 0 ? `<th scope="row">${shown}</th>` : `<td${classOf(column)}>${shown}</td>`;
}

function foldMore(more: readonly string[]): string {
  if (more.length === 0) return '';
  return `<details><summary>and ${more.length} more</summary>${more.map(drawWords).join('<br>')}</details>`;
}

function classOf(column: Column): string {
  if (column.align === 'right') return ' class="number"';
  return column.wraps ? ' class="wraps"' : '';
}
