import type { CleanReport } from '../documents/store-results.js';
import { cell, columns } from '../tables/report-table.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

/**
 * Says which interrupted uploads were removed, for a terminal.
 *
 * @param result - What was found.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderCleanText(result: CleanReport, settings: TextSettings): string {
  const { abandoned, runningKeys, isDryRun, storeUrl, name } = result;
  const where = name === null ? storeUrl : `${storeUrl}/${name}`;
  const left = runningKeys.length === 0 ? '' : ` ${runningKeys.length} that may run were left alone.`;
  if (abandoned.length === 0) return `No interrupted uploads in ${where}.${left}`;
  const done = isDryRun ? 'would be removed' : 'removed';
  return drawTextTable(
    {
      title: `Multipart uploads that nobody will complete, ${where}`,
      columns: columns('~Object', 'Begun', 'Why', 'Its parts'),
      rows: abandoned.map(({ url, initiatedAtMs, reason, refusal }) => [
        cell(url),
        cell(initiatedAtMs === null ? 'not known' : new Date(initiatedAtMs).toISOString()),
        cell(reason),
        cell(refusal === null ? done : `remain: ${refusal}`),
      ]),
      notes: left === '' ? [] : [left.trim()],
    },
    settings,
  );
}
