import type { Delivery } from '../../../lib/delivery.js';
import { fewestSamples } from '../../../lib/sample-counts.js';
import type { BenchReport, BenchReportRow } from '../../documents/bench-result.js';
import { type Cell, cell, columns, type ReportTable } from '../report-table.js';
import { countOf, writeMs, writeRange } from '../write-value.js';
import { type MeanPhases, meanPhases } from './mean-phases.js';
import { nameCells, nameColumns, noteImitated, samplesOf } from './name-row.js';
import { isSureSaving, type Saving, savingOf } from './saving.js';

/** The places a model can come from, in the order of the study; other deliveries are ways to the same place. */
const sources: readonly (readonly [Delivery, string])[] = [
  ['url', 'model hub (url)'],
  ['s3-copy', 'copy (s3-copy)'],
  ['mount', 'mount'],
  ['layer', 'disk (layer)'],
];
const order = sources.map(([delivery]) => delivery);

/**
 * Tells whether a benchmark compares a model hub with other sources.
 *
 * @param bench - The part of a benchmark in one cache state.
 * @returns Whether {@link tabulateSources} has something to say.
 */
export function hasSources(bench: BenchReport): boolean {
  return listRows(bench).some((row) => row.delivery !== 'url');
}

/**
 * Sets the places a model can come from beside each other, with what each saves against the model hub.
 *
 * @param bench - The part of a benchmark in one cache state, with its samples.
 * @returns The table, of means; dashes where nothing was measured.
 */
export function tabulateSources(bench: BenchReport): ReportTable {
  const rows = listRows(bench);
  const savings = rows.map((row) => findSaving(bench, row));
  // What matters most first: a narrow terminal draws the rest below.
  const measures = ['>Total', '>Saved', '>Min–max', '>Start', '>Download', '>Session', '>First inference'];
  const [variant = '#Variant', , ...memory] = nameColumns(rows);
  return {
    title: `Where the model comes from: ${bench.cache.title}`,
    columns: columns(variant, '#Source', ...memory, ...measures),
    rows: rows.map((row, index) => [
      ...drawName(bench, row, rows),
      ...drawMeans(
        meanPhases(samplesOf(bench, row)),
        drawSaving(savings[index] ?? null, starOf(row)),
        starOf(row),
      ),
    ]),
    notes: [
      'Means, which add up. Start holds loading the runtime, and nothing of what passes before the process exists. Saved: share of the total of the model hub, over rounds that have both; negative takes longer.',
      ...describeSavings(savings.filter((saving) => saving !== null)),
      ...new Set(rows.flatMap(describeGap)),
      ...noteImitated(rows, bench.profiles),
    ],
  };
}

/** All sources of a variant in one memory below each other, of those that came from a model hub too. */
function listRows({ rows }: BenchReport): readonly BenchReportRow[] {
  const hubs = rows.filter((row) => row.delivery === 'url');
  return hubs.flatMap((hub) =>
    order.flatMap((delivery) => rows.filter((row) => row.delivery === delivery && isSameModel(row, hub))),
  );
}

function drawName(bench: BenchReport, row: BenchReportRow, rows: readonly BenchReportRow[]): readonly Cell[] {
  const [variant = cell(row.variantId), , ...memory] = nameCells(row, rows, bench.profiles);
  const source = sources.find(([delivery]) => delivery === row.delivery)?.[1];
  return [variant, cell(source ?? row.delivery), ...memory];
}

function isSameModel(left: BenchReportRow, right: BenchReportRow): boolean {
  return left.variantId === right.variantId && left.memoryMiB === right.memoryMiB;
}

function drawMeans(means: MeanPhases | null, saving: Cell, star: string): readonly Cell[] {
  return [
    cell(means === null ? '–' : `${writeMs(means.totalMs)}${star}`, 'strong'),
    saving,
    cell(means === null ? '–' : writeRange(means.minTotalMs, means.maxTotalMs)),
    cell(writeMs(means?.startMs)),
    cell(writeMs(means?.downloadMs)),
    cell(writeMs(means?.sessionMs)),
    cell(writeMs(means?.firstInferenceMs)),
  ];
}

function findSaving(bench: BenchReport, row: BenchReportRow): Saving | null {
  const hub = bench.rows.find((other) => isSameModel(other, row) && other.delivery === 'url');
  if (hub === undefined || hub === row) return null;
  return savingOf(samplesOf(bench, row), samplesOf(bench, hub));
}

function drawSaving(saving: Saving | null, star: string): Cell {
  if (saving === null) return cell('–');
  const { percent, low, high, rounds } = saving;
  const about = isSureSaving(saving) ? '' : '~';
  const range = rounds < 2 ? '' : ` (${writeSigned(low, 0)} to ${writeSigned(high, 0)})`;
  return cell(`${about}${writeSigned(percent, 1)} %${range}${star}`, about === '' ? 'plain' : 'faint');
}

function writeSigned(percent: number, digits: number): string {
  return percent.toFixed(digits).replace(/^-/, '−');
}

function describeSavings(savings: readonly Saving[]): readonly string[] {
  if (savings.length === 0) return [];
  const rounds = savings.map((saving) => saving.rounds);
  const [fewest, most] = [Math.min(...rounds), Math.max(...rounds)];
  const count = fewest === most ? countOf(most, 'round') : `${fewest} to ${countOf(most, 'round')}`;
  return [
    ...(most < 2 ? [] : [`In parentheses the lowest and the highest saving of one round; ${count} per row.`]),
    ...(savings.every(isSureSaving)
      ? []
      : [
          `~ not sure: fewer than ${fewestSamples} rounds, or rounds that do not agree whether it saves anything.`,
        ]),
  ];
}

function starOf({ comparable }: BenchReportRow): string {
  return comparable.total === null ? '' : ' *';
}

function describeGap({ delivery, comparable }: BenchReportRow): readonly string[] {
  return comparable.total === null ? [] : [`* not comparable: ${delivery}: ${comparable.total}`];
}
