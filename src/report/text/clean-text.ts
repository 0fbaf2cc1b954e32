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
  const { abandoned, runningKeys, listRefusal, isDryRun, storeUrl, name } = result;
  const where = name === null ? storeUrl : `${storeUrl}/${name}`;
  const notes = [
    ...(runningKeys.length === 0 ? [] : [`${runningKeys.length} that may run were left alone.`]),
    ...(listRefusal === null
      ? []
      : [
          `What else there is could not be seen: ${storeUrl.startsWith('s3:') ? "the server's list of uploads was refused" : 'a folder cannot be read'}.`,
        ]),
  ];
  if (abandoned.length === 0) {
    const isJournal = listRefusal !== null && storeUrl.startsWith('s3:');
    const known = isJournal ? "that this machine's journal knows " : '';
    return [`No interrupted uploads ${known}in ${where}.`, ...notes].join(' ');
  }
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
      notes,
    },
    settings,
  );
}
