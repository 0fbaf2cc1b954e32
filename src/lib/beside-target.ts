import { basename, dirname, join } from 'node:path';
import { makeFolder } from './make-folder.js';
import { type MarkedName, markName, sweepMarked } from './marked-name.js';
import { hashBytes } from './sha256.js';

/** File systems take names of 255 bytes; this leaves room for the mark. */
const longestNameBytes = 180;

/**
 * Prepares writing something beside its target, to be renamed to it when it is whole: makes the folder, removes what
 * processes that died on the way to the same target left there, and finds a name.
 *
 * @param target - The file or folder that it is to become.
 * @returns The path to write to, in the same folder, `.NAME.….part`; nothing is there yet.
 * @throws The file system's own error when the folder cannot be made.
 */
export async function prepareBeside(target: string): Promise<string> {
  const folder = dirname(target);
  const name = nameOf(target);
  await makeFolder(folder);
  await sweepMarked(folder, name);
  return join(folder, markName(name));
}

function nameOf(target: string): MarkedName {
  const name = basename(target);
  const short = Buffer.byteLength(name) <= longestNameBytes ? name : hashBytes(name);
  return { prefix: `.${short}.`, suffix: '.part' };
}
