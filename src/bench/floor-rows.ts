import type { BenchSample } from './bench-result.js';
import type { RowSource } from './locate-row.js';
import { findSessionFloor } from './physical-limit.js';
import type { PlannedRow } from './plan-rows.js';

/** Samples that a floor rests on: it is the same work every time, and a figure to compare with, not one to choose by. */
export const floorRuns = 3;

/**
 * Lists what must be measured besides the rows to know the shortest possible session of each: the artifact expanded from
 * this machine's disk, where no row does so over the link.
 *
 * @param rows - What is to be measured.
 * @returns One row of `stream` per artifact and profile that has none; an artifact that is nowhere on this machine has
 *   no floor.
 */
export function planFloors(rows: readonly PlannedRow[]): (PlannedRow & RowSource)[] {
  const seen = new Set(rows.filter((row) => row.delivery === 'stream').map(keyOf));
  return rows.flatMap((row) => {
    const { artifactFolder } = row.target;
    if (seen.has(keyOf(row)) || artifactFolder === null) return [];
    seen.add(keyOf(row));
    return [{ ...row, delivery: 'stream', source: artifactFolder, s3: null, readFiles: [], servedFiles: [] }];
  });
}

/**
 * Finds the floor of a row.
 *
 * @param row - The row.
 * @param samples - Of all rows and of the floors.
 * @returns The median session, ms; null without one.
 */
export function floorOf(row: PlannedRow, samples: readonly BenchSample[]): number | null {
  const { target, memoryMiB } = row;
  return findSessionFloor(
    samples.filter(
      (sample) =>
        sample.delivery === 'stream' &&
        sample.variantId === target.variantId &&
        sample.memoryMiB === memoryMiB,
    ),
  );
}

function keyOf({ target, memoryMiB }: PlannedRow): string {
  return `${target.variantId} ${memoryMiB}`;
}
