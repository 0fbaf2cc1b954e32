import { formatBytes } from '../../../lib/format-quantity.js';
import type { BenchReport, BenchReportRow } from '../../documents/bench-result.js';
import { type Cell, cell, columns, type ReportTable } from '../report-table.js';
import { writeMs, writePercent } from '../write-value.js';
import { nameCells, nameColumns, noteImitated } from './name-row.js';

/**
 * Sets the measured load beside what no way of loading the same bytes over the same link could beat.
 *
 * @param bench - The part of a benchmark in one cache state.
 * @returns The table; dashes where no limit is known.
 */
export function tabulateLimits(bench: BenchReport): ReportTable {
  const { rows } = bench;
  const way = bench.disk.bytesPerSecond === null ? '>Link' : '>Link or disk';
  // What matters most first: a narrow terminal draws the rest below.
  const measures = ['>Measured load', '>Limit', '>Efficiency', '>Bytes', way, '>Session floor'];
  const disk = bench.disk.bytesPerSecond === null ? '' : ' or the disk';
  return {
    title: `Load against the physical limit: ${bench.cache.title}`,
    columns: columns(...nameColumns(rows), ...measures),
    rows: rows.map((row) => [...nameCells(row, rows, bench.profiles), ...drawLimit(row)]),
    notes: [
      `Bytes: what has to pass the link${disk}. Limit: these bytes ÷ its throughput, and the session on its memory-mapped FP32 form without prepacking, or its own where that is shorter. Efficiency: limit ÷ median load.`,
      ...describeGaps(rows),
      ...noteImitated(rows, bench.profiles),
    ],
  };
}

function describeGaps(rows: readonly BenchReportRow[]): readonly string[] {
  const unknown = rows.filter((row) => row.limit === null).map(({ delivery }) => delivery);
  const isOf = (some: (delivery: string) => boolean) => unknown.some(some);
  return [
    ...(isOf((delivery) => delivery === 'mount') ? ['– a mount has no known limit.'] : []),
    ...(isOf((delivery) => delivery === 'layer')
      ? [
          '– no limit of layer: it is not known whether the disk was read, or the session floor was not measured.',
        ]
      : []),
    ...(isOf((delivery) => delivery !== 'mount' && delivery !== 'layer')
      ? ['– no limit: the link is not known, or the session floor could not be measured.']
      : []),
  ];
}

function drawLimit({ limit, phases }: BenchReportRow): readonly Cell[] {
  const load = cell(writeMs(phases.loadMs?.median), 'strong');
  if (limit === null) return [load, ...Array.from({ length: 5 }, () => cell('–'))];
  const { linkBytes, linkMs, sessionMs, loadMs, efficiency } = limit;
  return [
    load,
    cell(writeMs(loadMs)),
    cell(efficiency === null ? '–' : writePercent(100 * efficiency)),
    cell(linkBytes === 0 ? 'none' : formatBytes(linkBytes)),
    cell(writeMs(linkMs)),
    cell(writeMs(sessionMs)),
  ];
}
