import { formatBytes, formatExactBytes } from '../../lib/format-quantity.js';
import type { CheckReport } from '../documents/check-result.js';
import { cell, columns, type ReportTable } from './report-table.js';
import { countOf } from './write-value.js';

type Pack = CheckReport['runtimePacks'][number];

/**
 * Sums up what of each engine is counted with an artifact.
 *
 * @param packs - The runtime packs.
 * @returns The table; a row per engine and layouts.
 */
export function tabulatePacks(packs: readonly Pack[]): ReportTable {
  return {
    title: 'Runtime packs',
    columns: columns('Engine', 'Version', '~Layouts', '>Files', '>Bytes', '>Size'),
    rows: packs.map(({ engine, version, layouts, files, sizeBytes }) => [
      cell(engine),
      cell(version),
      cell(layouts.join(', ')),
      cell(String(files.length)),
      cell(formatExactBytes(sizeBytes)),
      cell(formatBytes(sizeBytes)),
    ]),
    notes: ['Each artifact is counted with the pack of its engine and layout, by every delivery.'],
  };
}

/**
 * Lists the files of the packs, each once, an engine in a table.
 *
 * @param packs - The runtime packs.
 * @returns A table per engine; where its layouts need different files, these say which.
 */
export function tabulatePackFiles(packs: readonly Pack[]): readonly ReportTable[] {
  const engines = [...new Set(packs.map(({ engine }) => engine))];
  return engines.map((engine) => tabulateEngine(packs.filter((pack) => pack.engine === engine)));
}

function tabulateEngine(packs: readonly Pack[]): ReportTable {
  const [{ engine, version } = { engine: '', version: '' }] = packs;
  const files = [...new Map(packs.flatMap((pack) => pack.files).map((file) => [file.path, file])).values()];
  const isOne = packs.length === 1;
  const layoutsOf = (path: string) => {
    const needing = packs.filter((pack) => pack.files.some((file) => file.path === path));
    return needing.length === packs.length ? 'all' : needing.flatMap(({ layouts }) => layouts).join(', ');
  };
  return {
    title: `Runtime pack of ${engine} ${version}`,
    columns: columns('~File', '>Bytes', ...(isOne ? [] : ['For'])),
    rows: files
      .toSorted((left, right) => (left.path < right.path ? -1 : 1))
      .map(({ path, sizeBytes }) => [
        cell(path),
        cell(formatExactBytes(sizeBytes)),
        ...(isOne ? [] : [cell(layoutsOf(path))]),
      ]),
    notes: packs.map((pack) => `${pack.layouts.join(', ')}: ${describePack(pack)}.`),
  };
}

function describePack({ files, sizeBytes }: Pack): string {
  return `${countOf(files.length, 'file')}, ${formatExactBytes(sizeBytes)} B (${formatBytes(sizeBytes)})`;
}
