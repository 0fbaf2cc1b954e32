import { formatBytes, formatExactBytes } from '../../lib/format-quantity.js';
import type { ArtifactInspectionReport } from '../documents/inspect-result.js';
import { cell, columns, type ReportTable } from '../tables/report-table.js';
import { drawFacts, type Fact } from './draw-facts.js';
import { drawTextTable, type TextSettings } from './draw-table.js';
import { renderInspectText } from './inspect-text.js';

/**
 * Says what an artifact is, for a terminal.
 *
 * @param artifact - Its record, and what is inside its model.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderArtifactText(artifact: ArtifactInspectionReport, settings: TextSettings): string {
  const { path, model } = artifact;
  return [
    drawFacts(path, listFacts(artifact), settings),
    drawTextTable(tabulateFiles(artifact), settings),
    ...(model === null ? [] : [renderInspectText(model, settings)]),
  ].join('\n\n');
}

function listFacts(artifact: ArtifactInspectionReport): readonly Fact[] {
  const { variant, sizeBytes, digest, requires, provenance } = artifact;
  const { names } = requires;
  const { toolVersion, sourceName, sourceSizeBytes } = provenance;
  return [
    ['variant', variant.id],
    ['size', `${formatExactBytes(sizeBytes)} B (${formatBytes(sizeBytes)})`],
    ['digest', digest],
    ['needs', describeNeed(requires)],
    ['bound to', describeBound(requires)],
    ...(names === null
      ? []
      : ([
          ['inputs', names.inputs.join(', ')],
          ['outputs', names.outputs.join(', ')],
        ] as const)),
    ['made from', `${sourceName} (${formatBytes(sourceSizeBytes)}) by optimise-model ${toolVersion}`],
  ];
}

function describeNeed({
  engine,
  minimumVersion,
  architecture,
}: ArtifactInspectionReport['requires']): string {
  const processor = architecture === 'any' ? '' : `, a processor of ${architecture}`;
  return `${engine} ${minimumVersion} or newer${processor}`;
}

function describeBound({ engine, boundTo }: ArtifactInspectionReport['requires']): string {
  if (boundTo === null) return 'nothing: it opens wherever its needs are met';
  const { kind, engineVersion, instructionSets } = boundTo;
  const version = engineVersion === null ? [] : [`${engine} ${engineVersion} exactly`];
  const sets = instructionSets.length === 0 ? [] : [`a processor with ${instructionSets.join(', ')}`];
  return `${[...version, ...sets].join(' and ') || 'the machine it was made on'} (${kind})`;
}

function tabulateFiles({ entry, files }: ArtifactInspectionReport): ReportTable {
  return {
    title: 'Files',
    columns: columns('~File', '>Bytes', '>Size', 'SHA-256'),
    rows: files.map((file) => [
      cell(file.path, file.path === entry ? 'strong' : 'plain'),
      cell(formatExactBytes(file.sizeBytes)),
      cell(formatBytes(file.sizeBytes)),
      cell(`${file.sha256.slice(0, 12)}…`),
    ]),
    notes: [`${entry} is opened`],
  };
}
