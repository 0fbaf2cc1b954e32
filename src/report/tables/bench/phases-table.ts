import type { BenchReport, BenchReportRow } from '../../documents/bench-result.js';
import { type Cell, cell, columns, type ReportTable } from '../report-table.js';
import { writeMs } from '../write-value.js';
import { nameCells, nameColumns, noteImitated } from './name-row.js';

const phaseNames = ['startMs', 'runtimeMs', 'downloadMs', 'sessionMs', 'firstInferenceMs'] as const;

/**
 * Lists where the time of each row went.
 *
 * @param bench - The part of a benchmark in one cache state.
 * @returns The table, medians per phase.
 */
export function tabulatePhases(bench: BenchReport): ReportTable {
  const { rows } = bench;
  const stated = rows.flatMap(({ delivery, environment }) =>
    environment === null ? [] : [`Environment of ${delivery} is stated, not measured: ${environment.source}`],
  );
  const isStated = stated.length > 0;
  const phases = ['>Start', '>Runtime', '>Download', '>Session', '>First inference'];
  return {
    title: `Phases: ${bench.cache.title}`,
    columns: columns(...nameColumns(rows), ...(isStated ? ['>Environment'] : []), ...phases),
    rows: rows.map((row) => [
      ...nameCells(row, rows, bench.profiles),
      ...(isStated ? [drawEnvironment(row)] : []),
      ...phaseNames.map((name) => cell(writeMs(row.phases[name]?.median))),
    ]),
    notes: [...new Set(stated), ...describeSessions(rows), ...noteImitated(rows, bench.profiles)],
  };
}

function drawEnvironment({ environment }: BenchReportRow): Cell {
  return environment === null ? cell('not seen', 'faint') : cell(`${writeMs(environment.ms)} stated`);
}

/** Rows whose sessions are opened otherwise than the engine does by itself, since their figures rest on it. */
function describeSessions(rows: readonly BenchReportRow[]): readonly string[] {
  const words = rows.map(describeSession);
  return [...new Set(words)].flatMap((some) => {
    if (some === '') return [];
    const own = rows.filter((_row, index) => words[index] === some);
    const isWhole = (delivery: string) =>
      rows.every((row, index) => row.delivery !== delivery || words[index] === some);
    const listed = own.map(({ variantId, delivery }) =>
      isWhole(delivery) ? `all by ${delivery}` : `${variantId} by ${delivery}`,
    );
    return [`Sessions ${some}: ${[...new Set(listed)].join(', ')}.`];
  });
}

function describeSession({ variantId, session: { prepacking, optimisation } }: BenchReportRow): string {
  // OpenVINO has none of these.
  if (variantId.includes('.openvino.')) return '';
  return [
    ...(prepacking ? [] : ['without prepacking']),
    ...(optimisation === 'all' ? [] : [`with optimisation level ${optimisation}`]),
  ].join(' and ');
}
