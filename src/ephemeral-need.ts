import type { BudgetRow } from './check/check-budgets.js';
import type { Delivery } from './lib/delivery.js';
import type { ArtifactRecord } from './store/artifact-record.js';

/** What a function has at least. @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const leastMiB = 512;

/** Sizes are asked for in steps, so that a file system's own needs have room. */
const stepMiB = 64;

/**
 * Works out how much ephemeral storage a function needs for an artifact.
 *
 * @param record - The artifact's sizes.
 * @param delivery - How its bytes come.
 * @param budget - What check counted; undefined where it was not asked.
 * @returns MiB, a multiple of 64 and at least 512.
 */
export function sizeEphemeral(
  record: Pick<ArtifactRecord, 'sizeBytes' | 'expandedSizeBytes'>,
  delivery: Delivery,
  budget: BudgetRow | undefined,
): number {
  const writtenBytes = budget === undefined ? estimateWritten(record, delivery) : readWritten(budget);
  return Math.max(leastMiB, Math.ceil(writtenBytes / (stepMiB * 1024 ** 2)) * stepMiB);
}

/** No line means that nothing is written. */
function readWritten({ lines }: BudgetRow): number {
  return lines.find((line) => line.budget === 'ephemeral')?.usedBytes ?? 0;
}

function estimateWritten(
  { sizeBytes, expandedSizeBytes }: Pick<ArtifactRecord, 'sizeBytes' | 'expandedSizeBytes'>,
  delivery: Delivery,
): number {
  if (delivery === 'layer' || delivery === 'lazy') return 0;
  return delivery === 'stream' ? expandedSizeBytes : sizeBytes;
}
