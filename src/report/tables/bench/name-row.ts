import { formatExactBytes } from '../../../lib/format-quantity.js';
import type { BenchReport, BenchReportRow, BenchReportSample } from '../../documents/bench-result.js';
import { type Cell, cell } from '../report-table.js';
import { describeLimits, isImitated } from './profile-note.js';

/** What rows are told apart by. */
export type NamedRow = Pick<BenchReportRow, 'variantId' | 'delivery' | 'memoryMiB'>;

/**
 * Writes a memory setting as Lambda's console does, but with its real unit.
 *
 * @param memoryMiB - MiB; null for the whole machine.
 * @returns Such as `2,048 MiB`.
 */
export function writeMemory(memoryMiB: number | null): string {
  return memoryMiB === null ? 'whole machine' : `${formatExactBytes(memoryMiB)} MiB`;
}

/**
 * Writes a memory setting with a dagger where the profile was only imitated, which {@link noteImitated} explains.
 *
 * @param memoryMiB - MiB; null for the whole machine.
 * @param profiles - As they were had.
 * @returns Such as `2,048 MiB` or `2,048 MiB †`.
 */
export function markMemory(memoryMiB: number | null, profiles: BenchReport['profiles']): string {
  const profile = profiles.find((each) => each.memoryMiB === memoryMiB);
  const mark = profile !== undefined && isImitated(profile) ? ' †' : '';
  return `${writeMemory(memoryMiB)}${mark}`;
}

/**
 * Explains the daggers of the rows of a table or chart.
 *
 * @param rows - Its rows.
 * @param profiles - As they were had.
 * @returns One note per way in which profiles were imitated; none where control groups held them.
 */
export function noteImitated(
  rows: readonly NamedRow[],
  profiles: BenchReport['profiles'],
): readonly string[] {
  const marked = profiles.filter(
    (profile) => isImitated(profile) && rows.some((row) => row.memoryMiB === profile.memoryMiB),
  );
  return [...new Set(marked.map(describeLimits))].map((limits) => {
    const own = marked.filter((profile) => describeLimits(profile) === limits);
    const names = own.length === marked.length ? '' : ` (${own.map(nameProfile).join(', ')})`;
    return `† only imitated: ${limits}${names}.`;
  });
}

function nameProfile({ memoryMiB }: BenchReport['profiles'][number]): string {
  return writeMemory(memoryMiB);
}

/**
 * Lists the columns that name the rows of a benchmark; memory only where some was imitated.
 *
 * @param rows - All rows of the table.
 * @returns Titles in the notation of `columns`.
 */
export function nameColumns(rows: readonly NamedRow[]): readonly string[] {
  return ['#Variant', '#Delivery', ...(hasMemory(rows) ? ['#Memory'] : [])];
}

/**
 * Names one row, in the cells of {@link nameColumns}.
 *
 * @param row - The row.
 * @param rows - All rows of the table.
 * @param profiles - The benchmark's.
 * @returns As many cells.
 */
export function nameCells(
  row: NamedRow,
  rows: readonly NamedRow[],
  profiles: BenchReport['profiles'],
): readonly Cell[] {
  return [
    cell(row.variantId),
    cell(row.delivery),
    ...(hasMemory(rows) ? [cell(markMemory(row.memoryMiB, profiles))] : []),
  ];
}

/**
 * Names a row in a sentence.
 *
 * @param row - The row.
 * @returns Such as `fp16.single by s3-copy`, with `at 2,048 MiB` where memory was imitated.
 */
export function writeRowName({ variantId, delivery, memoryMiB }: NamedRow): string {
  const memory = memoryMiB === null ? '' : ` at ${writeMemory(memoryMiB)}`;
  return `${variantId} by ${delivery}${memory}`;
}

/**
 * Finds the samples that a row was summed up from.
 *
 * @param bench - The benchmark, or its part of one cache state.
 * @param row - One of its rows.
 * @returns Samples in the order in which they were taken.
 */
export function samplesOf(bench: BenchReport, row: BenchReportRow): readonly BenchReportSample[] {
  return bench.samples.filter(
    (sample) =>
      sample.variantId === row.variantId &&
      sample.delivery === row.delivery &&
      sample.memoryMiB === row.memoryMiB &&
      sample.cache === row.cache,
  );
}

function hasMemory(rows: readonly NamedRow[]): boolean {
  return rows.some((row) => row.memoryMiB !== null);
}
