import { formatBytes } from '../../lib/format-quantity.js';
import type { SweepReport } from '../documents/sweep-result.js';
import { markMemory } from './bench/name-row.js';
import { noteLimits } from './bench/profile-note.js';
import { type Cell, cell, columns, type ReportTable } from './report-table.js';
import { countOf, writeMs } from './write-value.js';

type Point = SweepReport['points'][number];

/**
 * Lists what each combination of workers and threads gave in steady state.
 *
 * @param sweep - The sweep of one variant.
 * @returns The table; the best are named in the last column.
 */
export function tabulateSweep(sweep: SweepReport): ReportTable {
  const { variantId, memoryMiB, points, priceBasis, profile } = sweep;
  const isPriced = priceBasis !== null;
  return {
    title: `Steady state of ${variantId}, ${markMemory(memoryMiB, profile === null ? [] : [profile])}`,
    columns: columns(
      '#Workers',
      '#Threads',
      '>Inferences',
      '>p50',
      '>p95',
      '>p99',
      '>Per second',
      '>Peak memory',
      ...(isPriced ? ['>USD per 100,000'] : []),
      '~Best for',
    ),
    rows: points.map((point, index) => drawPoint(point, listBest(sweep, index), isPriced)),
    notes: listNotes(sweep),
  };
}

function drawPoint(point: Point, best: readonly string[], isPriced: boolean): readonly Cell[] {
  const { workers, threads, isOversubscribed, inferences, throughputPerSecond, peakRssBytes, error } = point;
  return [
    cell(`${workers}`),
    cell(`${threads}${isOversubscribed ? ' *' : ''}`),
    cell(`${inferences}`),
    cell(writeMs(point.p50Ms)),
    cell(writeMs(point.p95Ms)),
    cell(writeMs(point.p99Ms)),
    cell(throughputPerSecond === null ? '–' : writeRate(throughputPerSecond)),
    cell(peakRssBytes === null ? '–' : formatBytes(peakRssBytes)),
    ...(isPriced ? [cell(writeUsd(point.costPer100kUsd))] : []),
    error === null ? cell(best.join(', '), 'strong') : cell(`failed: ${error.code}`, 'bad'),
  ];
}

function listBest({ best }: SweepReport, index: number): readonly string[] {
  return (['latency', 'throughput', 'cost'] as const).filter((name) => best[name] === index);
}

function listNotes(sweep: SweepReport): readonly string[] {
  const { points, cpus, priceBasis, machine, session, profile, findings } = sweep;
  const { prepacking, optimisation } = session;
  const hasShort = points.some((point) => point.error === null && point.p99Ms === null);
  const hasUnpriced =
    priceBasis !== null && points.some((point) => point.error === null && point.costPer100kUsd === null);
  return [
    `Each worker is a process with one session (${prepacking ? 'prepacking' : 'no prepacking'}, ${optimisation}); all ran back to back in one window on ` +
      `${Number(cpus.toFixed(2))} CPU of ${machine.cpuModel}, ${countOf(machine.cores, 'core')}.`,
    noteLimits(profile),
    'Best: within 2 % the one with the fewest threads altogether, then the fewest workers.',
    ...(points.some((point) => point.isOversubscribed) ? ['* more threads than processors'] : []),
    ...(hasShort ? ['A p95 takes 20 inferences or more, a p99 takes 100.'] : []),
    ...(priceBasis === null ? [] : [`Price: ${priceBasis}.`]),
    ...findings.filter(({ code }) => code === 'sweep-not-priced').map(({ what }) => what),
    ...(hasUnpriced
      ? ['A price by the request is for one worker: a function takes one request at a time.']
      : []),
  ];
}

function writeRate(perSecond: number): string {
  return perSecond < 100 ? perSecond.toPrecision(3) : `${Math.round(perSecond)}`;
}

/** To the cent, as bills are; below a dollar to a hundredth of one. */
function writeUsd(usd: number | null): string {
  if (usd === null) return '–';
  return usd < 1 ? usd.toFixed(4) : usd.toFixed(2);
}
