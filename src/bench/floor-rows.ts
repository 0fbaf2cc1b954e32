import { mappedSession } from '../lib/session-options.js';
import type { BenchSample } from './bench-result.js';
import type { RowSource } from './locate-row.js';
import { findSessionFloor } from './physical-limit.js';
import { isSameRow, nameRow, type PlannedRow } from './plan-rows.js';
import type { MeasuredSamples } from './sample-rows.js';
import { sessionOf } from './session-of-row.js';

/**
 * Most samples that a floor rests on: it is the same work every time, and a figure to compare with, not one to choose by.
 * It takes no more of them than the rows have.
 */
export const mostFloorRuns = 3;

/**
 * Lists what must be measured besides the rows to know the shortest possible session of each: the artifact expanded from
 * this machine's disk and opened as nothing can be opened sooner, where no row does so over the link. A row of `stream`
 * with other options, such as prepacking, has a session of its own length.
 *
 * @param rows - What is to be measured.
 * @returns One row of `stream` per artifact and profile that has none with those options; an artifact that is nowhere on
 *   this machine has no floor.
 */
export function planFloors(rows: readonly PlannedRow[]): (PlannedRow & RowSource)[] {
  const seen = new Set(rows.filter(isFloor).map(keyOf));
  return rows.flatMap((row) => {
    const { artifactFolder } = row.target;
    if (seen.has(keyOf(row)) || artifactFolder === null) return [];
    seen.add(keyOf(row));
    const target = { ...row.target, sessions: { ...row.target.sessions, stream: mappedSession } };
    const source = { source: artifactFolder, s3: null, readFiles: [], servedFiles: [], layout: null };
    return [{ ...row, ...source, target, delivery: 'stream' }];
  });
}

/**
 * Finds the floor of a row.
 *
 * @param row - The row.
 * @param measured - Samples of the rows, and those of the floors.
 * @returns The median session, ms; null without one.
 */
export function floorOf(
  row: PlannedRow,
  { samples, limitSamples }: Pick<MeasuredSamples, 'samples' | 'limitSamples'>,
): number | null {
  const streamed = { ...row, delivery: 'stream' } as const;
  const fitting: readonly BenchSample[] = isFloor(streamed) ? [...samples, ...limitSamples] : limitSamples;
  return findSessionFloor(fitting.filter((sample) => isSameRow(sample, nameRow(streamed))));
}

function isFloor(row: PlannedRow): boolean {
  if (row.delivery !== 'stream') return false;
  // It has none of these options.
  if (row.target.variant.engine === 'openvino') return true;
  const { prepacking, optimisation } = sessionOf(row);
  return prepacking === mappedSession.prepacking && optimisation === mappedSession.optimisation;
}

function keyOf({ target, memoryMiB }: PlannedRow): string {
  return `${target.variantId} ${memoryMiB}`;
}
