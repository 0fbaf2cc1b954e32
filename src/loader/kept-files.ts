import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findMaker, markName, sweepMarked } from '../lib/marked-name.js';

/**
 * What a folder on ephemeral storage holds. It is named `optimise-model-DIGEST-MARK` (`…-DIGEST-expanded-MARK`), where
 * the mark says which process it belongs to: it is that process's alone while it lives, and once it is dead, as after a
 * crash or timeout on Lambda, where `/tmp` stays, another process may take it over. Of a process before a restart of the
 * machine, or in another container, nobody can see whether it lives: its folder is left alone for a day.
 */
export type KeptPlace = {
  /** Ephemeral storage. */
  readonly parent: string;
  /** The artifact's, 64 hexadecimal digits. */
  readonly digest: string;
  /** `own` as it was staged; `expanded` as `stream` writes it. */
  readonly form: 'own' | 'expanded';
};

/** One file of such a folder: its path there, with `/`, and its size. */
export type KeptFile = { readonly path: string; readonly sizeBytes: number };

const noteName = 'optimise-model-kept.json';
const prefix = 'optimise-model-';
const filesFolder = /^(optimise-model-[0-9a-f]{64}-(?:expanded-)?)(\d+-\d*-[0-9a-f]{16}-[0-9a-f]{8})$/;
/** What nobody has taken over for so long, nobody will. */
const keptMs = 24 * 60 * 60 * 1000;

/**
 * Makes an empty folder for the files of an artifact.
 *
 * @param place - Where, and for what.
 * @returns Its path; only the user of this process may look into it.
 * @throws The file system's own error.
 */
export async function makeFilesFolder(place: KeptPlace): Promise<string> {
  const path = nameFolder(place);
  await mkdir(path, { mode: 0o700 });
  return path;
}

/**
 * Takes over files that a process which has died had verified. They are moved, not linked: onnxruntime refuses external
 * data with more than one hard link.
 *
 * They are trusted only where nobody but this user could have put them, and when size, time of change and inode are
 * those that were noted when they were verified. What does not pass is removed.
 *
 * @param place - Where they would be, and what they would be.
 * @param files - All files that are wanted.
 * @returns The folder that they are in, this process's own now; undefined when there are none.
 */
export async function takeOverFiles(
  place: KeptPlace,
  files: readonly KeptFile[],
): Promise<string | undefined> {
  for (const name of await listLeft(place.parent)) {
    if (filesFolder.exec(name)?.[1] !== startOfName(place)) continue;
    // Moved first, and looked at when nobody else can take it any more.
    const mine = nameFolder(place);
    if (!(await isPrivate(join(place.parent, name)))) continue;
    const isMine = await rename(join(place.parent, name), mine).then(
      () => true,
      () => false,
    );
    if (!isMine) continue;
    if (await isUnchanged(mine, files)) {
      const now = new Date();
      // For those who cannot see this process, its day begins now.
      await utimes(mine, now, now).catch(() => undefined);
      return mine;
    }
    await removeQuietly(mine);
  }
  return undefined;
}

/**
 * Notes what files are that have just been verified, so that another process can take them over when this one dies.
 * What goes wrong with that is no reason to fail: then nobody can.
 *
 * @param folder - The folder they are in.
 * @param files - All of them.
 */
export async function noteFiles(folder: string, files: readonly KeptFile[]): Promise<void> {
  try {
    await writeFile(join(folder, noteName), JSON.stringify(await describeAll(folder, files)));
  } catch {
    await rm(join(folder, noteName), { force: true }).catch(() => undefined);
  }
}

/**
 * Removes what processes that have died left half done, and what nobody has taken over for a day.
 *
 * @param parent - Ephemeral storage.
 */
export async function sweepFiles(parent: string): Promise<void> {
  await sweepMarked(parent, { prefix, suffix: '' });
  for (const name of await listLeft(parent)) {
    const path = join(parent, name);
    if ((await readAgeMs(join(path, noteName))) > keptMs) await removeQuietly(path);
  }
}

/**
 * Removes everything that processes which have died left, one folder after the other, as long as space is short.
 *
 * @param parent - Ephemeral storage.
 * @param isShort - Asked before each.
 */
export async function removeWhileShort(parent: string, isShort: () => Promise<boolean>): Promise<void> {
  for (const name of await listLeft(parent)) {
    if (!(await isShort())) return;
    await removeQuietly(join(parent, name));
  }
}

function startOfName({ digest, form }: KeptPlace): string {
  return `${prefix}${digest}-${form === 'own' ? '' : 'expanded-'}`;
}

function nameFolder(place: KeptPlace): string {
  return join(place.parent, markName({ prefix: startOfName(place), suffix: '' }));
}

async function listLeft(parent: string): Promise<readonly string[]> {
  const left: string[] = [];
  for (const name of await readdir(parent).catch(() => [])) {
    const mark = filesFolder.exec(name)?.[2];
    const maker = mark === undefined ? undefined : findMaker(mark);
    const isForgotten = maker === 'unknown' && (await readAgeMs(join(parent, name))) > keptMs;
    if (maker === 'dead' || isForgotten) left.push(name);
  }
  return left;
}

/** Endless for what is not there. */
async function readAgeMs(path: string): Promise<number> {
  return lstat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
}

/** In a folder that all may write to, anyone could have laid files of that name. */
async function isPrivate(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  const userId = process.getuid?.();
  if (found === undefined || !found.isDirectory()) return false;
  return userId === undefined || (found.uid === userId && (found.mode & 0o077) === 0);
}

async function isUnchanged(folder: string, files: readonly KeptFile[]): Promise<boolean> {
  try {
    const noted = await readFile(join(folder, noteName), 'utf8');
    return noted === JSON.stringify(await describeAll(folder, files));
  } catch {
    return false;
  }
}

/** What must be the same when they are found again. */
async function describeAll(folder: string, files: readonly KeptFile[]): Promise<unknown> {
  const describeFile = async ({ path, sizeBytes }: KeptFile): Promise<unknown> => {
    const found: BigIntStats = await lstat(join(folder, path), { bigint: true });
    if (!found.isFile() || Number(found.size) !== sizeBytes) throw new Error(`${path} is another`);
    return { path, sizeBytes, mtimeNs: String(found.mtimeNs), inode: String(found.ino) };
  };
  return Promise.all(files.map(describeFile));
}

async function removeQuietly(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}
