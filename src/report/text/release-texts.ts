import { formatBytes, formatExactBytes } from '../../lib/format-quantity.js';
import type { PromoteReport, PruneReport, ReleasesListReport } from '../documents/release-results.js';
import { type Cell, cell, columns, type ReportTable } from '../tables/report-table.js';
import { countOf, writeMoment } from '../tables/write-value.js';
import { drawFacts } from './draw-facts.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

type Model = ReleasesListReport['models'][number];

/**
 * Lists releases, for a terminal: a table per model.
 *
 * @param result - What `releases list` found.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderReleasesText(result: ReleasesListReport, settings: TextSettings): string {
  if (result.models.length === 0) {
    return `No releases in ${result.storeUrl}; current.json is looked for at ${currentOf(result.storeUrl, 'NAME')}`;
  }
  return result.models
    .map((model) => drawTextTable(tabulateReleases(model, result.storeUrl), settings))
    .join('\n\n');
}

function tabulateReleases({ name, current, releases, damaged }: Model, storeUrl: string): ReportTable {
  const damage = damaged.length === 0 ? [] : [`${countOf(damaged.length, 'document')} cannot be used.`];
  const isEmpty = releases.length === 0 && damaged.length === 0 && current === null;
  const place = isEmpty ? [`current.json is looked for at ${currentOf(storeUrl, name)}.`] : [];
  const missing = releases.length === 0 ? ['There are none.'] : [];
  const notes =
    current === null ? [...missing, 'Nothing is current.', ...place, ...damage] : [...missing, ...damage];
  return {
    title: `Releases of ${name === '' ? storeUrl : `${name} in ${storeUrl}`}`,
    columns: columns(
      'Release',
      'Current',
      'Created (UTC)',
      'Variant',
      'Delivery',
      '>Artifacts',
      '>Bytes',
      '~Needs',
    ),
    rows: releases.map((release) => [
      cell(release.release),
      release.isCurrent ? cell('current', 'good') : cell('', 'faint'),
      cell(writeMoment(release.createdAt).replace(/ UTC$/, '')),
      cell(release.variantId),
      cell(release.delivery),
      cell(formatExactBytes(release.artifacts)),
      cell(formatExactBytes(release.sizeBytes)),
      needsCell(release.requires),
    ]),
    notes,
  };
}

function currentOf(storeUrl: string, name: string): string {
  return `${storeUrl.replace(/\/$/, '')}/${name === '' ? '' : `${name}/`}current.json`;
}

function needsCell(requires: Model['releases'][number]['requires']): Cell {
  const { engine, minimumVersion, opset, irVersion, architecture } = requires;
  const processor = architecture === 'any' ? [] : [architecture];
  return cell(`${engine} ≥ ${minimumVersion}`, 'plain', [`opset ${opset}, IR ${irVersion}`, ...processor]);
}

/**
 * Says which release is current now, for a terminal.
 *
 * @param result - What promote or rollback did.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderPromoteText(result: PromoteReport, settings: TextSettings): string {
  const { name, release, releaseUrl, currentUrl, previousRelease, moved } = result;
  return drawFacts(
    moved
      ? `${name} is at release ${release}`
      : `${name} was at release ${release} already: nothing was moved`,
    [
      ['release', releaseUrl],
      ['current', currentUrl],
      ...(moved ? ([['was', previousRelease ?? 'none']] as const) : []),
    ],
    settings,
  );
}

/**
 * Says what was pruned, or would be, for a terminal.
 *
 * @param result - What `releases prune` found and did.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderPruneText(result: PruneReport, settings: TextSettings): string {
  const rows = [
    ...result.models.flatMap(listRows),
    ...result.abandoned.map((upload) => uploadRow(upload, result.isDryRun)),
  ];
  const { models, graceMs, isDryRun, storeUrl } = result;
  const spared = models.reduce((count, model) => count + model.spared.folders, 0);
  const sparedBytes = models.reduce((sum, model) => sum + model.spared.sizeBytes, 0);
  const sum = sumUp(result);
  const hours = Number((graceMs / 3_600_000).toFixed(2));
  const notes = [
    isDryRun ? `Nothing was removed; --apply removes ${sum}.` : `Removed: ${sum}.`,
    ...(spared === 0
      ? []
      : [
          `${countOf(spared, 'folder')} more (${formatBytes(sparedBytes)}) that no release refers to: younger than ${hours} h, or being written to.`,
        ]),
  ];
  return drawTextTable(
    {
      title: `${isDryRun ? 'What could be pruned in' : 'Pruned in'} ${storeUrl}`,
      columns: columns('Model', 'Outcome', '~What', '>Objects', '>Bytes', 'Newest'),
      rows,
      notes,
    },
    settings,
  );
}

/** In the order and the units of the rows above it. */
function sumUp({ releases, artifacts, objects, sizeBytes, uploads }: PruneReport): string {
  const files = `${countOf(objects, 'file')}, ${formatBytes(sizeBytes)}`;
  const parts = [
    ...(releases === 0 ? [] : [countOf(releases, 'release')]),
    ...(artifacts === 0 ? [] : [`${countOf(artifacts, 'artifact')} (${files})`]),
    ...(uploads === 0 ? [] : [countOf(uploads, 'interrupted upload')]),
  ];
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

function listRows(model: PruneReport['models'][number]): readonly (readonly Cell[])[] {
  const name = cell(model.name === '' ? '.' : model.name);
  const none = [cell(''), cell(''), cell('')];
  return [
    ...model.refusals.map((refusal) => [
      name,
      cell('kept', 'bad'),
      cell('everything', 'plain', [refusal]),
      ...none,
    ]),
    ...model.releases.map((release) => [name, ...fateCells(`release ${release.release}`, release), ...none]),
    ...model.folders.map((folder) => [
      name,
      ...fateCells(`artifact ${folder.digest.slice(0, 12)}`, folder),
      cell(formatExactBytes(folder.objects)),
      cell(formatExactBytes(folder.sizeBytes)),
      cell(writeMoment(folder.newestAt)),
    ]),
  ];
}

type Upload = PruneReport['abandoned'][number];

function uploadRow({ url, reason, initiatedAtMs, refusal }: Upload, isDryRun: boolean): readonly Cell[] {
  const begun = cell(initiatedAtMs === null ? '' : writeMoment(new Date(initiatedAtMs).toISOString()));
  const done = isDryRun ? 'planned' : 'removed';
  const fate = { outcome: refusal === null ? done : 'kept', reason: refusal } as const;
  return [cell(''), ...fateCells(`${reason} upload of ${url}`, fate), cell(''), cell(''), begun];
}

type Fate = Pick<PruneReport['models'][number]['releases'][number], 'outcome' | 'reason'>;

function fateCells(what: string, { outcome, reason }: Fate): readonly Cell[] {
  const outcomes = { planned: cell('would go'), removed: cell('removed'), kept: cell('kept', 'warn') };
  return [outcomes[outcome], cell(what, 'plain', reason === null ? [] : [reason])];
}
