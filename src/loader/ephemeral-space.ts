import { statfs } from 'node:fs/promises';
import { OptimiseModelError } from '../messages/error.js';
import { explainSystemError } from '../messages/explain-system-error.js';
import { removeWhileShort } from './kept-files.js';

/** What is written to ephemeral storage. */
export type SpaceNeed = {
  /** Ephemeral storage. */
  readonly folder: string;
  readonly neededBytes: number;
  /** Whether these are the bytes that `stream` expands an artifact to. */
  readonly isExpanded: boolean;
};

/**
 * Makes sure that a download has room before it begins: a full disk found half-way costs the whole transfer. What
 * processes that have died left of other models goes first.
 *
 * @param need - How much will be written, and where.
 * @throws `ephemeral-storage-full` when they do not fit, `ephemeral-folder-unusable`.
 */
export async function makeRoom(need: SpaceNeed): Promise<void> {
  const { folder, neededBytes } = need;
  await removeWhileShort(folder, async () => neededBytes > (await readAvailableBytes(folder)));
  const availableBytes = await readAvailableBytes(folder);
  if (neededBytes <= availableBytes) return;
  throw OptimiseModelError.of('ephemeral-storage-full', { ...need, availableBytes });
}

/**
 * Puts a disk that filled up during the download into the same words as one that was too small from the start.
 *
 * @param error - What the download threw.
 * @param need - How much it was to write, and where.
 * @returns `ephemeral-storage-full` when the disk was full, else the error itself.
 */
export async function explainFullDisk(error: unknown, need: SpaceNeed): Promise<unknown> {
  if (!isFullDisk(error)) return error;
  const availableBytes = await readAvailableBytes(need.folder);
  return OptimiseModelError.of('ephemeral-storage-full', { ...need, availableBytes }, error);
}

/**
 * Puts what the file system says of a folder for ephemeral storage into our words.
 *
 * @param error - What it threw.
 * @param folder - The folder.
 * @returns `ephemeral-folder-unusable`.
 */
export function refuseFolder(error: unknown, folder: string): OptimiseModelError {
  const reason = explainSystemError(error as NodeJS.ErrnoException);
  return OptimiseModelError.of('ephemeral-folder-unusable', { folder, reason }, error);
}

async function readAvailableBytes(folder: string): Promise<number> {
  const stats = await statfs(folder).catch((error: unknown) => {
    throw refuseFolder(error, folder);
  });
  return stats.bavail * stats.bsize;
}

function isFullDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' || isFullDisk(error.cause);
}
