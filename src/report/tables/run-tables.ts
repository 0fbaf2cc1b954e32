import { formatBytes, formatExactBytes } from '../../lib/format-quantity.js';
import type { RunView } from '../run-view.js';
import { cell, columns, type ReportTable, type Tone } from './report-table.js';
import { writeMs, writePercent } from './write-value.js';

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
      cell(formatExactBytes(variant.castsAdded)),
    ]),
    notes: [`Source ${formatExactBytes(sourceBytes)} B (${formatBytes(sourceBytes)}).`],
  };
}

/**
 * Lists the steps of a run and what came out of each.
 *
 * @param steps - The steps in order.
 * @returns The table.
 */
export function tabulateSteps(steps: RunView['steps']): ReportTable {
  return {
    title: 'Steps',
    columns: columns('Step', '~Result', '>Took'),
    rows: steps.map((step) => [
      cell(step.subject === '' ? step.verb : `${step.verb} ${step.subject}`),
      cell(step.line),
      step.reused ? cell('reused', 'faint') : cell(writeMs(step.durationMs)),
    ]),
    notes: [],
  };
}

const findingTones: Readonly<Record<string, Tone>> = { error: 'bad', warning: 'warn', info: 'plain' };

/**
 * Lists findings with what to do about them.
 *
 * @param findings - Findings of a run.
 * @returns The table, errors first.
 */
export function tabulateFindings(findings: RunView['findings']): ReportTable {
  const order = ['error', 'warning', 'info'];
  const sorted = [...findings].sort(
    (left, right) => order.indexOf(left.severity) - order.indexOf(right.severity),
  );
  return {
    title: 'Findings',
    columns: columns('Severity', '~What', '~What to do'),
    rows: sorted.map((finding) => [
      cell(finding.severity, findingTones[finding.severity] ?? 'plain'),
      cell(finding.what),
      cell(finding.remedy),
    ]),
    notes: sorted.length === 0 ? ['None.'] : [],
  };
}

/**
 * Lists where a report comes from.
 *
 * @param view - The run.
 * @returns Names and values.
 */
export function listProvenance(view: RunView): readonly (readonly [string, string])[] {
  return [
    ['Model', view.model.path],
    ['Model size', `${formatExactBytes(view.model.sizeBytes)} B`],
    ['Model SHA-256', view.model.sha256],
    ['Started', view.startedAt],
    ['Finished', view.finishedAt],
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
