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
      ...(tune.engine === 'openvino' ? ['#Mapped', '#Model cache'] : ['#Level', '#Prepacked']),
      '>Session',
      '>First',
      '>Both',
      '>Steady',
      '>Disk',
      '>Peak',
      '~Outcome',
    ),
    rows: configurations.flatMap((each, index) =>
      isUseless(each) ? [] : [drawConfiguration(tune, each, drawOutcome(tune, each, index))],
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

function drawConfiguration({ engine }: TuneReport, each: Configuration, outcome: Cell): readonly Cell[] {
  const { form, saved, sizeBytes, peakRssBytes } = each;
  return [
    cell(saved === null ? form : 'saved'),
    ...(engine === 'openvino' ? drawCache(each) : drawOptions(each)),
    cell(writeMs(each.sessionMs)),
    cell(writeMs(each.firstInferenceMs)),
    cell(writeMs(each.readyMs), 'strong'),
    cell(writeMs(each.steadyMs)),
    cell(sizeBytes === null ? '–' : formatBytes(sizeBytes)),
    cell(peakRssBytes === null ? '–' : formatBytes(peakRssBytes)),
    outcome,
  ];
}

function drawOptions({ saved, session }: Configuration): readonly Cell[] {
  const prepacking = session.prepacking ? 'yes' : 'no';
  return [cell(saved?.optimisation ?? session.optimisation), cell(saved?.isPrepacked ? 'saved' : prepacking)];
}

function drawCache({ isMapped, modelCache, cacheSizeBytes }: Configuration): readonly Cell[] {
  const size = cacheSizeBytes === null ? '' : `, ${formatBytes(cacheSizeBytes)}`;
  return [cell(isMapped ? 'yes' : 'no'), cell(`${modelCache}${size}`)];
}

function drawOutcome({ chosen, front }: TuneReport, each: Configuration, index: number): Cell {
  if (each.error !== null) return cell(`failed: ${each.error.code}`, 'bad');
  const { form, saved, session } = each;
  const options = form === 'own' ? chosen.own : chosen.stream;
  const isChosen =
    saved === null &&
    each.modelCache === 'none' &&
    each.isMapped &&
    session.prepacking === options.prepacking &&
    session.optimisation === options.optimisation;
  const words = [
    ...(isChosen ? [`chosen${form === 'expanded' ? ' for stream' : ''}`] : []),
    ...(front.includes(index) ? ['front'] : []),
  ];
  return cell(words.join(', '), isChosen ? 'good' : 'plain');
}

function listNotes(tune: TuneReport): readonly string[] {
  const { reason, threads, profile, cache, machine, configurations, findings, engine } = tune;
  const bound = [...new Set(configurations.flatMap(({ boundTo }) => boundTo ?? []))];
  return [
    reason,
    `Medians of new processes; ${cacheTitles[cache]}; ${countOf(threads, 'thread')}; ${machine.cpuModel}, ` +
      `${countOf(machine.cores, 'core')}; ${engine} ${tune.engineVersion}.`,
    noteLimits(profile),
    `Own: the files as they are. Expanded: the FP32 files that stream writes. ${describeKinds(tune)}`.trim(),
    'First: the first inference; Both: with its session. Front: nothing else is as good in both, steady and disk and better in one.',
    ...describeUseless(configurations),
    ...bound.map((boundTo) => describeBound(boundTo, configurations)),
    ...findings.filter(({ code }) => gains.includes(code)).map(({ what }) => what),
  ];
}

const aboutSaved = 'Saved: a graph optimised beforehand, which no release holds.';
const aboutCache =
  'Model cache: the folder of CACHE_DIR, emptied before each process (cold, writing it is part of the session) or filled by an ' +
  'earlier one (warm, OpenVINO says that it was used); no release holds it. Mapped: no is ENABLE_MMAP=NO.';

/** A model that is compiled already is opened in one way only. */
function describeKinds({ engine, configurations }: TuneReport): string {
  if (engine === 'onnxruntime') return aboutSaved;
  return configurations.some(({ modelCache }) => modelCache !== 'none') ? aboutCache : '';
}

const gains: readonly string[] = ['tune-offline-gain', 'tune-cache-gain'];

function describeBound(boundTo: string, configurations: readonly Configuration[]): string {
  if (configurations.some((each) => each.boundTo === boundTo && each.modelCache !== 'none'))
    return `The model cache is bound to ${boundTo}.`;
  const graphs = configurations.flatMap((each) => (each.boundTo === boundTo ? (each.saved ?? []) : []));
  const levels = [...new Set(graphs.map(({ optimisation }) => optimisation))].join(', ');
  const isPrepacked = graphs.some((graph) => graph.isPrepacked);
  return `${isPrepacked ? 'Prepacked weights saved' : 'Graphs saved'} at ${levels} are bound to ${boundTo}.`;
}
