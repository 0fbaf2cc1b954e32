import { formatBytes } from '../../lib/format-quantity.js';
import type { BenchReport, BenchReportRow } from '../documents/bench-result.js';
import { addEnvironment } from './add-environment.js';
import { type Cell, cell, columns, type ReportTable } from './report-table.js';
import { writeMs, writeRange } from './write-value.js';

/** Of fewer samples, the 95th percentile is the highest of them. */
const p95Samples = 20;

/**
 * Lists what was measured per variant and delivery: the total with its spread, readiness, steady state, memory.
 *
 * @param bench - The benchmark.
 * @returns The table; a star marks sums that leave something out, and the notes say what.
 */
export function tabulateTotals(bench: BenchReport): ReportTable {
  return {
    title: `Benchmark: ${bench.cache.title}`,
    columns: columns(
      'Variant',
      'Delivery',
      '>Runs',
      '>Total',
      '>Min–max',
      '>p95',
      '>Ready',
      '>Steady',
      '>Peak memory',
    ),
    rows: bench.rows.map(drawTotals),
    notes: [
      `Medians per row; ${describeConditions(bench)}.`,
      ...(bench.rows.some(hasNoP95) ? [`A p95 takes ${p95Samples} samples or more per row.`] : []),
      ...new Set(bench.rows.flatMap(describeStated)),
      ...new Set(bench.rows.flatMap(listGaps).map((gap) => `* not comparable: ${gap}`)),
    ],
  };
}

/**
 * Lists where the time of each row went.
 *
 * @param bench - The benchmark.
 * @returns The table, medians per phase.
 */
export function tabulatePhases(bench: BenchReport): ReportTable {
  const stated = bench.rows.flatMap(({ delivery, environment }) =>
    environment === null ? [] : [`Environment of ${delivery} is stated, not measured: ${environment.source}`],
  );
  const isStated = bench.rows.some((row) => row.environment !== null);
  return {
    title: 'Phases',
    columns: columns(
      'Variant',
      'Delivery',
      ...(isStated ? ['>Environment'] : []),
      '>Start',
      '>Runtime',
      '>Download',
      '>Session',
      '>First inference',
    ),
    rows: bench.rows.map((row) => [
      cell(row.variantId),
      cell(row.delivery),
      ...(isStated ? [drawEnvironment(row)] : []),
      ...phaseNames.map((name) => cell(writeMs(row.phases[name]?.median))),
    ]),
    notes: [...new Set(stated)],
  };
}

function drawEnvironment({ environment }: BenchReportRow): Cell {
  return environment === null ? cell('not seen', 'faint') : cell(`${writeMs(environment.ms)} stated`);
}

const phaseNames = ['startMs', 'runtimeMs', 'downloadMs', 'sessionMs', 'firstInferenceMs'] as const;

/**
 * Says under which conditions a benchmark ran.
 *
 * @param bench - The benchmark.
 * @returns Link, cache state, threads and machine in one line without a full stop.
 */
export function describeConditions(bench: BenchReport): string {
  const { link, cache, machine } = bench;
  const threads = bench.profiles[0]?.threads ?? 1;
  return (
    `${describeLink(link)}; ${cache.title}; ${threads === 1 ? '1 thread' : `${threads} threads`}; ` +
    `${machine.cpuModel}, ${machine.cores} cores, ${formatBytes(machine.memoryBytes)}, Node.js ${machine.node.replace(/^v/, '')}`
  );
}

/**
 * Names a benchmark's link, never leaving out that it was simulated.
 *
 * @param link - The link.
 * @returns One clause.
 */
export function describeLink(link: BenchReport['link']): string {
  const isSaid = !link.simulated || link.label.includes('simulated');
  return isSaid ? `link: ${link.label}` : `simulated link: ${link.label}`;
}

/** The environment belongs to total and ready wherever it is stated, as it does when they are compared. */
function describeStated({ delivery, environment }: BenchReportRow): readonly string[] {
  return environment === null
    ? []
    : [`Total and ready of ${delivery} hold ${writeMs(environment.ms)} of stated environment.`];
}

function hasNoP95({ phases: { totalMs } }: BenchReportRow): boolean {
  return totalMs !== null && totalMs.count < p95Samples;
}

function drawTotals(row: BenchReportRow): readonly Cell[] {
  const { steadyMs } = row.phases;
  const total = addEnvironment(row.phases.totalMs, row.environment);
  const ready = addEnvironment(row.phases.readyMs, row.environment);
  const runs = row.failures === 0 ? `${row.runs}` : `${row.runs} (${row.failures} failed)`;
  const star = (reason: string | null) => (reason === null ? '' : ' *');
  return [
    cell(row.variantId),
    cell(row.delivery),
    cell(runs, row.failures === 0 ? 'plain' : 'bad'),
    cell(writeMs(total?.median) + star(row.comparable.total), 'strong'),
    cell(total === null ? '–' : writeRange(total.min, total.max)),
    cell(hasNoP95(row) ? '–' : writeMs(total?.p95)),
    cell(writeMs(ready?.median) + star(row.comparable.ready)),
    cell(writeMs(steadyMs?.median)),
    cell(row.peakRssBytes === null ? '–' : formatBytes(row.peakRssBytes)),
  ];
}

function listGaps(row: BenchReportRow): readonly string[] {
  const { total, ready } = row.comparable;
  const reasons = [...new Set([total, ready].filter((reason) => reason !== null))];
  return reasons.map((reason) => `${row.delivery}: ${reason}`);
}
