import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type ArtifactSummary, artifactRecordName, parseArtifactSummary } from '../store/artifact-record.js';

const namedCount = 5;

/**
 * Finds what would be lost if a folder was replaced: only an empty one, and one with an artifact of ours and nothing
 * else, may be. Other tools call their files `artifact.json` too, and people put notes beside a model.
 *
 * @param folder - An existing folder.
 * @returns Why it must stay, one clause that names the files; undefined when it may be replaced.
 */
export async function findWorthKeeping(folder: string): Promise<string | undefined> {
  const names = await readdir(folder);
  if (names.length === 0) return undefined;
  if (!names.includes(artifactRecordName))
    return `this folder holds other files and no ${artifactRecordName}: ${listSome(names)}`;
  const record = await readRecord(join(folder, artifactRecordName));
  if (record === undefined)
    return `the ${artifactRecordName} in this folder is no record that this tool wrote`;
  const own = new Set([artifactRecordName, ...record.files.map((file) => file.path)]);
  const extra = await listOthers(folder, own);
  return extra.length === 0
    ? undefined
    : `this folder holds files that are no part of its artifact: ${listSome(extra)}`;
}

/**
 * Reads what a conversion is about to replace.
 *
 * @param folder - Where it writes.
 * @returns The record of the artifact there; undefined when there is none of ours.
 */
export function readReplaced(folder: string): Promise<ArtifactSummary | undefined> {
  return readRecord(join(folder, artifactRecordName));
}

async function readRecord(path: string): Promise<ArtifactSummary | undefined> {
  try {
    return parseArtifactSummary(await readFile(path, 'utf8'), path);
  } catch {
    // Whatever is wrong with it, it is not known to be ours.
    return undefined;
  }
}

/** Everything but folders that lead to own files; an empty folder and a link are things that somebody made. */
async function listOthers(folder: string, own: ReadonlySet<string>): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const isOnTheWay = (path: string): boolean => [...own].some((file) => file.startsWith(`${path}/`));
  return entries
    .map((entry) => ({
      path: relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'),
      isFile: entry.isFile(),
      isFolder: entry.isDirectory(),
    }))
    .filter(({ path, isFile, isFolder }) => !(isFile && own.has(path)) && !(isFolder && isOnTheWay(path)))
    .map(({ path }) => path)
    .sort();
}

function listSome(names: readonly string[]): string {
  const more = names.length > namedCount ? ` and ${names.length - namedCount} more` : '';
  return `${names.slice(0, namedCount).join(', ')}${more}`;
}
