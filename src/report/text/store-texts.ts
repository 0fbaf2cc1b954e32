import { formatBytes, formatExactBytes, formatMs } from '../../lib/format-quantity.js';
import type { FetchReport, PublishReport, StageReport } from '../documents/store-results.js';
import { cell, columns } from '../tables/report-table.js';
import { countOf } from '../tables/write-value.js';
import { drawFacts } from './draw-facts.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

/**
 * Says what was staged where, for a terminal.
 *
 * @param result - What stage did.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderStageText(result: StageReport, settings: TextSettings): string {
  const facts = drawFacts(
    `${result.variantId} → ${result.artifactUrl}`,
    [
      ['digest', result.digest],
      ['sent', `${formatBytes(result.sentBytes)} in ${formatMs(result.durationMs)}`],
      ['already there', formatBytes(result.reusedBytes)],
    ],
    settings,
  );
  const folder = result.artifactKey.slice(0, result.artifactKey.lastIndexOf('/') + 1);
  const files = {
    title: `Objects in ${folder}`,
    columns: columns('~Object', '>Bytes', 'Sent'),
    rows: result.files.map((file) => [
      cell(file.key.startsWith(folder) ? file.key.slice(folder.length) : file.key),
      cell(formatExactBytes(file.sizeBytes)),
      file.sent ? cell('sent') : cell('was there', 'faint'),
    ]),
    notes: [],
  };
  return `${facts}\n\n${drawTextTable(files, settings)}`;
}

/**
 * Says what was fetched, for a terminal.
 *
 * @param result - What fetch did.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderFetchText(result: FetchReport, settings: TextSettings): string {
  const facts = drawFacts(
    `${result.variantId} → ${result.folder}`,
    [
      ['from', result.url],
      ...(result.release === null ? [] : ([['release', result.release]] as const)),
      ['digest', `${result.digest} (verified)`],
      [result.reused ? 'was there' : 'received', describeTransfer(result)],
    ],
    settings,
  );
  const files = {
    title: 'Files',
    columns: columns('~File', '>Bytes'),
    rows: result.files.map((file) => [cell(file.path), cell(formatExactBytes(file.sizeBytes))]),
    notes: [],
  };
  return `${facts}\n\n${drawTextTable(files, settings)}`;
}

/**
 * Says what was released, for a terminal.
 *
 * @param result - What publish did.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderPublishText(result: PublishReport, settings: TextSettings): string {
  return drawFacts(
    `Release ${result.release}`,
    [
      ['release', result.releaseUrl],
      ['current', result.currentUrl],
      ['was', result.previousRelease ?? 'none'],
    ],
    settings,
  );
}

function describeTransfer({ files, sizeBytes, durationMs, bytesPerSecond }: FetchReport): string {
  const speed = bytesPerSecond === null ? '' : `, ${formatBytes(Math.round(bytesPerSecond))}/s`;
  return `${countOf(files.length, 'file')}, ${formatBytes(sizeBytes)} in ${formatMs(durationMs)}${speed}`;
}
