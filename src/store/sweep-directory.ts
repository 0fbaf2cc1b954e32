import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findMaker } from '../lib/marked-name.js';
import { isMissing, translateFileSystemError } from './file-system-error.js';
import { findFolderOf } from './find-folder-of.js';
import { removeEmptyFolders } from './remove-empty-folders.js';
import type { SweepOptions, UploadSweep } from './store.js';

/** A file beside its target, `.NAME.MARK.part`. */
const besideTarget = /^\.(.+)\.([^.]+)\.part$/s;

/**
 * Finds files of a folder store that a process was writing beside their targets when it died, and removes them with the
 * folders that become empty. One of another container cannot be looked at: its files go when they are older than the
 * grace.
 *
 * @param root - The folder.
 * @param prefix - What keys begin with.
 * @param options - The grace, and whether anything is done; without `lists` nothing is looked for.
 * @param signal - Stops the work.
 * @returns What was found, by path; `uploadId` is the file's name, `listRefusal` names a folder that cannot be read.
 * @throws The signal's reason.
 */
export async function sweepDirectory(
  root: string,
  prefix: string,
  { graceMs, lists, isDryRun }: SweepOptions,
  signal: AbortSignal,
): Promise<UploadSweep> {
  const refusals: string[] = [];
  const abandoned: UploadSweep['abandoned'][number][] = [];
  const runningKeys: string[] = [];
  if (!lists) return { abandoned, runningKeys, listRefusal: null };
  const base = await findFolderOf(root, prefix).catch((error: unknown) => {
    refusals.push(reasonOf(error, 'read', join(root, prefix)));
    return undefined;
  });
  const parts = base === undefined ? [] : walk(root, base, prefix, refusals);
  for await (const { folder, name, key, state } of parts) {
    signal.throwIfAborted();
    const url = join(root, folder, name);
    const initiatedAtMs = (await lstat(url).catch(() => undefined))?.mtimeMs;
    if (initiatedAtMs === undefined) continue;
    if (state === 'alive' || (state === 'unknown' && initiatedAtMs > Date.now() - graceMs)) {
      runningKeys.push(key);
      continue;
    }
    const reason = state === 'dead' ? 'interrupted' : 'old';
    const refusal = isDryRun ? null : await removePart(root, url);
    abandoned.push({ url, uploadId: name, initiatedAtMs, reason, refusal });
  }
  return { abandoned, runningKeys, listRefusal: refusals[0] ?? null };
}

type Part = {
  /** With a final slash; empty for the store itself. */
  readonly folder: string;
  readonly name: string;
  /** What it was to become. */
  readonly key: string;
  readonly state: 'alive' | 'dead' | 'unknown';
};

async function* walk(root: string, folder: string, prefix: string, refusals: string[]): AsyncIterable<Part> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (!isMissing(error)) refusals.push(reasonOf(error, 'read', join(root, folder)));
    return [];
  });
  for (const entry of entries) {
    const { name } = entry;
    const [, target, mark = ''] = besideTarget.exec(name) ?? [];
    if (entry.isDirectory()) {
      const base = `${folder}${name}/`;
      // What is being fetched or converted into a folder beside it is no upload.
      if (target === undefined && base.startsWith(prefix)) yield* walk(root, base, prefix, refusals);
    } else if (entry.isFile() && target !== undefined) {
      const key = `${folder}${target}`;
      const state = findMaker(mark);
      if (state !== undefined && key.startsWith(prefix)) yield { folder, name, key, state };
    }
  }
}

async function removePart(root: string, path: string): Promise<string | null> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    return reasonOf(error, 'write', path);
  }
  // An empty folder costs nothing, and is no part that remains.
  await removeEmptyFolders(root, path).catch(() => undefined);
  return null;
}

function reasonOf(error: unknown, action: 'read' | 'write', path: string): string {
  const translated = translateFileSystemError(error, action, path);
  return translated instanceof Error ? translated.message : String(translated);
}
