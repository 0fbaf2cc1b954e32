import { cacheTitles } from '../../lib/cache-state.js';
import { formatBytes } from '../../lib/format-quantity.js';
import type { TuneReport } from '../documents/tune-result.js';
import { markMemory } from './bench/name-row.js';
import { noteLimits } from './bench/profile-note.js';
import { type Cell, cell, columns, type ReportTable } from './report-table.js';
import { countOf, writeMs } from './write-value.js';

type Configuration = TuneReport['configurations'][number];

/**
 * Lists what each way of opening a variant gave.
 *
 * @param tune - The tuning of one variant.
 * @returns The table; the last column says what was chosen and what none of the others beats.
 */
export function tabulateTuning(tune: TuneReport): ReportTable {
  const { variantId, memoryMiB, configurations, profile } = tune;
  return {
    title: `Sessions of ${variantId}, ${markMemory(memoryMiB, profile === null ? [] : [profile])}`,
    columns: columns(
      '#Files',
      '#Level',
      '#Prepacked',
      '>Session',
      '>First',
      '>Both',
      '>Steady',
      '>Disk',
      '>Peak',
      '~Outcome',
    ),
    rows: configurations.flatMap((each, index) =>
      isUseless(each) ? [] : [drawConfiguration(each, drawOutcome(tune, each, index))],
    ),
    notes: listNotes(tune),
  };
}

/** A saved graph that cannot be opened has no figure at all. */
function isUseless({ saved, error }: Configuration): boolean {
  return saved !== null && error !== null;
}

function describeUseless(configurations: readonly Configuration[]): readonly string[] {
  const useless = configurations.filter(isUseless);
  if (useless.length === 0) return [];
  const codes = [...new Set(useless.flatMap(({ error }) => error?.code ?? []))].join(', ');
  const all = configurations.filter(({ saved }) => saved !== null).length;
  return [
    `Not shown: ${useless.length} of ${all} ways to open graphs that were saved, which failed (${codes}).`,
  ];
}

function drawConfiguration(each: Configuration, outcome: Cell): readonly Cell[] {
  const { form, saved, session, sizeBytes, peakRssBytes } = each;
  const prepacking = session.prepacking ? 'yes' : 'no';
  return [
    cell(saved === null ? form : 'saved'),
    cell(saved?.optimisation ?? session.optimisation),
    cell(saved?.isPrepacked ? 'saved' : prepacking),
    cell(writeMs(each.sessionMs)),
    cell(writeMs(each.firstInferenceMs)),
    cell(writeMs(each.readyMs), 'strong'),
    cell(writeMs(each.steadyMs)),
    cell(sizeBytes === null ? '–' : formatBytes(sizeBytes)),
    cell(peakRssBytes === null ? '–' : formatBytes(peakRssBytes)),
    outcome,
  ];
}

function drawOutcome({ chosen, front }: TuneReport, each: Configuration, index: number): Cell {
  if (each.error !== null) return cell(`failed: ${each.error.code}`, 'bad');
  const { form, saved, session } = each;
  const options = form === 'own' ? chosen.own : chosen.stream;
  const isChosen =
    saved === null &&
    session.prepacking === options.prepacking &&
    session.optimisation === options.optimisation;
  const words = [
    ...(isChosen ? [`chosen${form === 'expanded' ? ' for stream' : ''}`] : []),
    ...(front.includes(index) ? ['front'] : []),
  ];
  return cell(words.join(', '), isChosen ? 'good' : 'plain');
}

function listNotes({
  reason,
  threads,
  profile,
  cache,
  machine,
  configurations,
  findings,
}: TuneReport): readonly string[] {
  const bound = [...new Set(configurations.flatMap(({ boundTo }) => boundTo ?? []))];
  return [
    reason,
    `Medians of new processes; ${cacheTitles[cache]}; ${countOf(threads, 'thread')}; ${machine.cpuModel}, ` +
      `${countOf(machine.cores, 'core')}.`,
    noteLimits(profile),
    'Own: the files as they are. Expanded: the FP32 files that stream writes. Saved: a graph optimised beforehand, which no release holds.',
    'First: the first inference; Both: with its session. Front: nothing else is as good in both, steady and disk and better in one.',
    ...describeUseless(configurations),
    ...bound.map((boundTo) => describeBound(boundTo, configurations)),
    ...findings.filter(({ code }) => code === 'tune-offline-gain').map(({ what }) => what),
  ];
}

function describeBound(boundTo: string, configurations: readonly Configuration[]): string {
  const graphs = configurations.flatMap((each) => (each.boundTo === boundTo ? (each.saved ?? []) : []));
  const levels = [...new Set(graphs.map(({ optimisation }) => optimisation))].join(', ');
  const isPrepacked = graphs.some((graph) => graph.isPrepacked);
  return `${isPrepacked ? 'Prepacked weights saved' : 'Graphs saved'} at ${levels} are bound to ${boundTo}.`;
}
