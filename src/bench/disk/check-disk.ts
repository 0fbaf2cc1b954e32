import type { DiskModel } from '../bench-options.js';
import type { measureRead } from './measure-read.js';

const mebibyte = 2 ** 20;
/** A limit further off than this does not stand for the disk that was asked for. */
const mostDeviation = 0.1;
/** How long the check reads, if the limit holds: the kernel deals rates out in slices of a tenth of a second. */
const checkSeconds = 1;
const [fewestCheckMiB, mostCheckMiB] = [16, 256];
/** How often a disk may fail the check that others use meanwhile. */
const checks = 3;

/** What is checked, and how. */
export type DiskCheck = {
  readonly model: DiskModel;
  /** Where a temporary file is written and read. */
  readonly folder: string;
  /** Folders of the control groups it is read in. */
  readonly groups: readonly string[];
  readonly measureRead: typeof measureRead;
};

/**
 * Checks that a disk's limit holds, by reading a file inside it.
 *
 * @param check - The disk and its limit.
 * @param signal - Ends the check.
 * @returns What was read, bytes per second; or in words why that does not show the limit.
 * @throws The signal's reason.
 */
export async function checkDisk(
  { model, folder, groups, measureRead: measure }: DiskCheck,
  signal: AbortSignal,
): Promise<number | string> {
  const { bytesPerSecond: asked } = model;
  const wantedMiB = Math.ceil((asked * checkSeconds) / mebibyte);
  const sizeBytes = Math.min(mostCheckMiB, Math.max(fewestCheckMiB, wantedMiB)) * mebibyte;
  const seen: number[] = [];
  try {
    while (seen.length < checks) {
      const rate = await measure(folder, sizeBytes, groups, signal);
      if (rate === null)
        return 'nothing shows what the disk gives where the page cache cannot be told to forget';
      if (Math.abs(rate / asked - 1) <= mostDeviation) return rate;
      seen.push(rate);
    }
    return `a file was read at ${seen.map(printRate).join(', ')} inside the limit`;
  } catch (error) {
    signal.throwIfAborted();
    return `the check failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * Writes a disk's rate for people.
 *
 * @param bytesPerSecond - The rate.
 * @returns Such as `125 MiB/s`.
 */
export function printRate(bytesPerSecond: number): string {
  return `${Number((bytesPerSecond / mebibyte).toPrecision(4))} MiB/s`;
}
