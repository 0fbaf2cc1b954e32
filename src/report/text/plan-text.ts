import { formatBytes, formatExactBytes } from '../../lib/format-quantity.js';
import type { StagingPlanReport } from '../documents/store-results.js';
import { cell, columns } from '../tables/report-table.js';
import { countOf } from '../tables/write-value.js';
import { drawFacts, type Fact } from './draw-facts.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

/**
 * Says what staging would do, for a terminal.
 *
 * @param plan - From a dry run.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderPlanText(plan: StagingPlanReport, settings: TextSettings): string {
  const title = `Dry run, nothing was sent: ${plan.variantId} → ${plan.artifactUrl}`;
  const facts = drawFacts(title, [...describePlace(plan), ...describeAmounts(plan)], settings);
  const folder = plan.artifactKey.slice(0, plan.artifactKey.lastIndexOf('/') + 1);
  const objects = {
    title: `Objects in ${folder}`,
    columns: columns('~Object', '>Bytes', '>Part size', '>Parts', 'Would be'),
    rows: plan.objects.map((object) => [
      cell(object.key.startsWith(folder) ? object.key.slice(folder.length) : object.key),
      cell(formatExactBytes(object.sizeBytes)),
      cell(object.partSizeBytes === null ? '' : formatBytes(object.partSizeBytes)),
      cell(object.action === 'skip' ? '' : String(object.parts)),
      object.action === 'send' ? cell('sent') : cell('skipped, it is there', 'faint'),
    ]),
    notes: [],
  };
  return `${facts}\n\n${drawTextTable(objects, settings)}`;
}

function describePlace({ storeUrl, name, place, settings }: StagingPlanReport): readonly Fact[] {
  if (place.kind === 'directory') {
    return [
      ['folder', storeUrl],
      ['name', name],
    ];
  }
  const { cacheControl, tags, encryption, storageClass, expectedBucketOwner } = settings;
  const tagged = Object.entries(tags).map(([key, value]) => `${key}=${value}`);
  return [
    ['account', place.account ?? `not known: ${place.accountUnknownBecause}`],
    ['region', place.region],
    ['bucket', place.bucket],
    ['bucket owner', expectedBucketOwner === null ? 'not checked' : `must be ${expectedBucketOwner}`],
    ['endpoint', place.endpoint],
    ['name', name],
    ['cache control', cacheControl ?? 'none'],
    ['tags', tagged.length === 0 ? 'none' : tagged.join(', ')],
    ['encryption', encryption === null ? "the bucket's default" : describeEncryption(encryption)],
    ['storage class', storageClass ?? "the server's default"],
  ];
}

function describeEncryption({ algorithm, kmsKeyId }: { algorithm: string; kmsKeyId: string | null }): string {
  return kmsKeyId === null ? algorithm : `${algorithm} with ${kmsKeyId}`;
}

function describeAmounts(plan: StagingPlanReport): readonly Fact[] {
  const { objects, sendBytes, skipBytes, concurrency, memoryBoundBytes } = plan;
  const sent = objects.filter(({ action }) => action === 'send');
  const skippedCount = objects.length - sent.length;
  const bound =
    memoryBoundBytes === null
      ? 'no parts'
      : `${formatBytes(memoryBoundBytes)} (${concurrency} parts at a time)`;
  return [
    ['digest', plan.digest],
    ['would send', `${formatBytes(sendBytes)} in ${countOf(sent.length, 'object')}`],
    ['would skip', `${formatBytes(skipBytes)} in ${countOf(skippedCount, 'object')}`],
    ['memory for parts', bound],
  ];
}
