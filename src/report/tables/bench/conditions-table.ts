import { cacheTitles } from '../../../lib/cache-state.js';
import { formatBytes } from '../../../lib/format-quantity.js';
import type { BenchReport } from '../../documents/bench-result.js';
import { type Cell, cell, columns, type ReportTable } from '../report-table.js';
import { capitalise, countOf } from '../write-value.js';
import { markMemory } from './name-row.js';
import { describeLimits } from './profile-note.js';
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
  const { link, hubLink, disk, profiles, runtimes, machine } = bench;
  const steal = describeSteal(bench);
  return {
    title: 'How it was measured',
    columns: columns('Condition', '~What it was'),
    rows: [
      ...(passesLink(bench) || hubLink === null
        ? [drawFact('Link', [nameLink(link), ...describeAchieved(link)])]
        : []),
      ...(hubLink === null
        ? []
        : [drawFact('Link of url', [nameLink(hubLink), ...describeAchieved(hubLink)])]),
      drawFact('Disk', [disk.label.replace(/^disk /, '')]),
      ...profiles.map((profile) =>
        drawFact(capitalise(markMemory(profile.memoryMiB, profiles)), [describeProfile(profile)]),
      ),
      drawFact('Page cache', describeCaches(bench)),
      drawFact('Machine', [
        `${machine.cpuModel}, ${countOf(machine.cores, 'core')}, ${formatBytes(machine.memoryBytes)}, ` +
          `Node.js ${machine.node.replace(/^v/, '')}, ${machine.platform}`,
      ]),
      drawFact('Engines', describeEngines(runtimes)),
      ...(steal === null ? [] : [[cell('Steal'), cell(steal, 'warn')]]),
    ],
    notes: [],
  };
}

/**
 * Names the links that the rows of a benchmark passed, never leaving out that one was simulated.
 *
 * @param bench - The benchmark, or its part of one cache state.
 * @returns One clause, or two where `url` passed another link than the rest.
 */
export function describeLinks(bench: BenchReport): string {
  const { link, hubLink, rows } = bench;
  const hub = rows.some((row) => row.delivery === 'url') ? hubLink : null;
  return [
    ...(passesLink(bench) || hub === null ? [describeLink(link, 'link')] : []),
    ...(hub === null ? [] : [describeLink(hub, 'link of url')]),
  ].join('; ');
}

/** What `url` passes is a link of its own; what lies on this machine passes none. */
function passesLink({ rows }: BenchReport): boolean {
  return rows.some(({ delivery }) => !['url', 'layer', 'mount'].includes(delivery));
}

function describeLink({ label, simulated }: Link, name: string): string {
  const isSaid = !simulated || label.includes('simulated');
  return `${isSaid ? '' : 'simulated '}${name}: ${label.replace(/^none: /, '')}`;
}

/**
 * Says in one line under which conditions a benchmark ran.
 *
 * @param bench - The benchmark, or its part of one cache state.
 * @returns Link, cache state and machine without a full stop.
 */
export function describeConditions(bench: BenchReport): string {
  const { cache, machine } = bench;
  return `${describeLinks(bench)}; ${cache.title}; ${machine.cpuModel}, ${countOf(machine.cores, 'core')}`;
}

function drawFact(name: string, clauses: readonly string[]): readonly Cell[] {
  return [cell(name), cell(clauses.join('; '))];
}

/** Left alone, OpenVINO would pin its threads to processors, which onnxruntime does not. */
function describeEngines(runtimes: BenchReport['runtimes']): readonly string[] {
  const names = runtimes.map(({ engine, version }) => `${engine} ${version}`).join(', ');
  const isPinnable = runtimes.some(({ engine }) => engine === 'openvino');
  return isPinnable ? [names, 'with equal threads, none pinned to a processor'] : [names];
}

function nameLink(link: Link): string {
  return describeLink(link, 'link').replace(/^link: /, '');
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
