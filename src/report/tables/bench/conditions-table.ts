import { cacheTitles } from '../../../lib/cache-state.js';
import { formatBytes } from '../../../lib/format-quantity.js';
import type { BenchReport } from '../../documents/bench-result.js';
import { type Cell, cell, columns, type ReportTable } from '../report-table.js';
import { capitalise, countOf } from '../write-value.js';
import { writeMemory } from './name-row.js';
import { describeLimits, keptBy } from './profile-note.js';
import { describeSteal } from './steal-note.js';

type Link = BenchReport['link'];
type Profile = BenchReport['profiles'][number];

/**
 * Lists what a benchmark was measured under: link as asked and as seen, disk, profiles and how each was kept to, caches.
 *
 * @param bench - The whole benchmark.
 * @returns The table, one condition per row.
 */
export function tabulateConditions(bench: BenchReport): ReportTable {
  const { link, hubLink, disk, profiles, machine } = bench;
  const steal = describeSteal(bench);
  return {
    title: 'How it was measured',
    columns: columns('Condition', '~What it was'),
    rows: [
      drawFact('Link', [nameLink(link), ...describeAchieved(link)]),
      ...(hubLink === null
        ? []
        : [drawFact('Link of url', [nameLink(hubLink), ...describeAchieved(hubLink)])]),
      drawFact('Disk', [describeDisk(disk)]),
      ...profiles.map((profile) =>
        drawFact(capitalise(writeMemory(profile.memoryMiB)), [describeProfile(profile)]),
      ),
      drawFact('Page cache', describeCaches(bench)),
      drawFact('Machine', [
        `${machine.cpuModel}, ${countOf(machine.cores, 'core')}, ${formatBytes(machine.memoryBytes)}, ` +
          `Node.js ${machine.node.replace(/^v/, '')}, ${machine.platform}`,
      ]),
      ...(steal === null ? [] : [[cell('Steal'), cell(steal, 'warn')]]),
    ],
    notes: [],
  };
}

/**
 * Names a benchmark's link, never leaving out that it was simulated.
 *
 * @param link - The link.
 * @returns One clause.
 */
export function describeLink(link: Link): string {
  const isSaid = !link.simulated || link.label.includes('simulated');
  return isSaid ? `link: ${link.label}` : `simulated link: ${link.label}`;
}

/**
 * Says in one line under which conditions a benchmark ran.
 *
 * @param bench - The benchmark, or its part of one cache state.
 * @returns Link, cache state and machine without a full stop.
 */
export function describeConditions(bench: BenchReport): string {
  const { link, cache, machine } = bench;
  return `${describeLink(link)}; ${cache.title}; ${machine.cpuModel}, ${countOf(machine.cores, 'core')}`;
}

function drawFact(name: string, clauses: readonly string[]): readonly Cell[] {
  return [cell(name), cell(clauses.join('; '))];
}

function nameLink(link: Link): string {
  return describeLink(link).replace(/^link: /, '');
}

function describeAchieved({ achieved, bytesPerSecond, latencyMs }: Link): readonly string[] {
  if (achieved === null) return [];
  const share = bytesPerSecond === null ? '' : ` (${percentOf(achieved.bytesPerSecond, bytesPerSecond)})`;
  const asked = latencyMs === null ? '' : ` (${latencyMs.toFixed(1)} asked for)`;
  const rate = writeRate(achieved.bytesPerSecond);
  return [`achieved ${rate}${share} and ${achieved.latencyMs.toFixed(1)} ms${asked} to the first byte`];
}

function percentOf(seen: number, asked: number): string {
  return `${((100 * seen) / asked).toFixed(1)} % of what was asked for`;
}

function writeRate(bytesPerSecond: number): string {
  return `${Number((bytesPerSecond / 1e6).toPrecision(3))} MB/s`;
}

function describeDisk({ label, bytesPerSecond, enforcement }: BenchReport['disk']): string {
  if (bytesPerSecond === null) return label;
  const how =
    enforcement === 'none'
      ? 'asked for, but nothing here can hold it to that'
      : `held by the block layer of ${keptBy[enforcement]}`;
  return `${label}; ${writeRate(bytesPerSecond)}, ${how}`;
}

function describeProfile(profile: Profile): string {
  const { vcpus, threads, threadsOrigin } = profile;
  const had = `${Number(vcpus.toFixed(2))} vCPU; ${countOf(threads, 'thread')} (${threadsOrigin})`;
  return `${had}; ${describeLimits(profile)}`;
}

function describeCaches({ rows }: BenchReport): readonly string[] {
  return [...new Set(rows.map((row) => row.cache))].map((state) => {
    const count = rows.filter((row) => row.cache === state).length;
    const place = state === 'memory' ? ', on a file system that is memory' : '';
    return `${cacheTitles[state]}${place}: ${countOf(count, 'row')}`;
  });
}
