import { formatBytes, formatExactBytes } from '../../lib/format-quantity.js';
import type { Tone } from '../../lib/paint-text.js';
import type { RunView } from '../run-view.js';
import { type Cell, cell, columns, type ReportTable } from './report-table.js';
import { writeMoment, writeMs, writePercent } from './write-value.js';

/**
 * Lists the artifacts with their bytes and their share of the source.
 *
 * @param view - The run.
 * @returns The table.
 */
export function tabulateArtifacts(view: Pick<RunView, 'variants' | 'model'>): ReportTable {
  const { sizeBytes: sourceBytes } = view.model;
  return {
    title: 'Artifacts',
    columns: columns(
      'Variant',
      '>Size',
      '>Bytes',
      '>Of source',
      '>Files',
      '>FP16 weights',
      '>Kept FP32',
      '>FP16 nodes',
      '>Casts',
    ),
    rows: view.variants.map((variant) => [
      cell(variant.id),
      cell(formatBytes(variant.sizeBytes)),
      cell(formatExactBytes(variant.sizeBytes)),
      cell(sourceBytes > 0 ? writePercent((100 * variant.sizeBytes) / sourceBytes) : '–'),
      cell(String(variant.files.length)),
      cell(formatExactBytes(variant.weightsFp16)),
      cell(formatExactBytes(variant.weightsKeptFp32)),
      cell(writeNodes(variant)),
      cell(formatExactBytes(variant.castsAdded)),
    ]),
    notes: [`Source ${formatExactBytes(sourceBytes)} B (${formatBytes(sourceBytes)}).`],
  };
}

/**
 * Lists the variants that a run went on without.
 *
 * @param leftOut - The variants with why they could not be made.
 * @returns One table, or none when nothing was left out.
 */
export function tabulateLeftOut(leftOut: RunView['leftOut']): readonly ReportTable[] {
  if (leftOut.length === 0) return [];
  return [
    {
      title: 'Left out',
      columns: columns('Variant', '~Why', '~What to do'),
      rows: leftOut.map(({ variantId, reason, remedy }, index) => {
        const isSame = leftOut[index - 1]?.reason === reason;
        return [cell(variantId), cell(isSame ? 'for the same reason' : reason), cell(isSame ? '–' : remedy)];
      }),
      notes: [],
    },
  ];
}

/** A model that computes in FP32 has no share to show. */
function writeNodes({ nodesFp16, nodesAllowed }: RunView['variants'][number]): string {
  if (nodesFp16 === 0) return '–';
  return `${formatExactBytes(nodesFp16)} of ${formatExactBytes(nodesAllowed)}`;
}

const outcomes: Readonly<Record<RunView['steps'][number]['verdict'], Cell>> = {
  ok: cell('done', 'good'),
  partly: cell('partly', 'warn'),
  no: cell('no', 'bad'),
};

/**
 * Lists the steps of a run and what came out of each.
 *
 * @param steps - The steps in order.
 * @returns The table.
 */
export function tabulateSteps(steps: RunView['steps']): ReportTable {
  return {
    title: 'Steps',
    columns: columns('Step', 'Outcome', '~Result', '>Took'),
    rows: steps.map((step) => [
      cell(step.subject === '' ? step.verb : `${step.verb} ${step.subject}`),
      outcomes[step.verdict],
      cell(step.line),
      step.reused
        ? cell(`reused, of ${writeMoment(step.finishedAt)}`, 'faint')
        : cell(writeMs(step.durationMs)),
    ]),
    notes: [],
  };
}

/**
 * Says of when the figures of a run are: a later run may have reused them.
 *
 * @param view - The run.
 * @returns Such as `measured 2026-11-30 17:01 UTC`; without a benchmark, when the run began.
 */
export function describeMoment({ steps, startedAt }: Pick<RunView, 'steps' | 'startedAt'>): string {
  const bench = findBench(steps);
  return bench === undefined
    ? `run of ${writeMoment(startedAt)}`
    : `measured ${writeMoment(bench.finishedAt)}`;
}

/** The benchmark itself; sessions are tuned and swept in steps of the same verb, each for a variant. */
function findBench(steps: RunView['steps']): RunView['steps'][number] | undefined {
  return steps.find((step) => step.verb === 'bench' && step.subject === '');
}

const findingTones: Readonly<Record<string, Tone>> = { error: 'bad', warning: 'warn', info: 'plain' };

/**
 * Lists findings with what to do about them, those of one kind together.
 *
 * @param findings - Findings of a run.
 * @returns The table, errors first; one row per severity and code.
 */
export function tabulateFindings(findings: RunView['findings']): ReportTable {
  const groups = ['error', 'warning', 'info'].flatMap((severity) => {
    const severe = findings.filter((finding) => finding.severity === severity);
    const codes = [...new Set(severe.map((finding) => finding.code))];
    return codes.map((code) => ({ severity, group: severe.filter((finding) => finding.code === code) }));
  });
  const list = (texts: readonly string[]) => {
    const [first = '', ...more] = new Set(texts);
    return cell(first, 'plain', more);
  };
  return {
    title: 'Findings',
    columns: columns('Severity', '~What', '~What to do'),
    rows: groups.map(({ severity, group }) => [
      cell(
        group.length === 1 ? severity : `${severity} (${group.length})`,
        findingTones[severity] ?? 'plain',
      ),
      list(group.map((finding) => finding.what)),
      list(group.map((finding) => finding.remedy)),
    ]),
    notes: groups.length === 0 ? ['None.'] : [],
  };
}

/**
 * Lists where a report comes from.
 *
 * @param view - The run.
 * @returns Names and values.
 */
export function listProvenance(view: RunView): readonly (readonly [string, string])[] {
  const bench = findBench(view.steps);
  return [
    ['Model', view.model.path],
    ['Model size', `${formatExactBytes(view.model.sizeBytes)} B`],
    ['Model SHA-256', view.model.sha256],
    ...(bench === undefined ? [] : [['Benchmark measured', bench.finishedAt] as const]),
    ['Last run started', view.startedAt],
    ['Last run finished', view.finishedAt],
    ['Tool', `optimise-model ${view.toolVersion}`],
    ...view.variants.flatMap((variant): readonly (readonly [string, string])[] =>
      variant.digest === null ? [] : [[`Digest of ${variant.id}`, variant.digest]],
    ),
    ...(view.publish === null
      ? []
      : ([
          ['Release', view.publish.releaseUrl],
          ['Current', view.publish.currentUrl],
          ['Release before', view.publish.previousRelease ?? 'none'],
        ] as const)),
  ];
}
