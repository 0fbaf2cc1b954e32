import { execFile } from 'node:child_process';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { markName, sweepMarked } from '../../lib/marked-name.js';
import { evictFile } from '../../native/page-cache.js';
import { launchInGroups } from '../profile/launch-in-groups.js';

const name = { prefix: '.optimise-model-disk-check-', suffix: '' };
const pieceBytes = 1024 * 1024;

/** Reads a file from its start to its end and says how many milliseconds that took. */
const readingProgram = `
const { openSync, readSync } = require('node:fs');
const file = openSync(process.argv[1], 'r');
const piece = Buffer.alloc(${pieceBytes});
const startMs = performance.now();
while (readSync(file, piece) > 0);
console.log(performance.now() - startMs);
`;

/**
 * Measures how fast a process inside control groups reads a file that is not in the page cache.
 *
 * @param folder - Where a temporary file is written.
 * @param sizeBytes - How large, whole MiB.
 * @param groups - Folders of the groups.
 * @param signal - Ends the measurement.
 * @returns Bytes per second; null where the page cache cannot be told to forget a file.
 * @throws The file system's own error where nothing can be written, and what ends the process.
 */
export async function measureRead(
  folder: string,
  sizeBytes: number,
  groups: readonly string[],
  signal: AbortSignal,
): Promise<number | null> {
  await sweepMarked(folder, name);
  const path = join(folder, markName(name));
  try {
    const file = await open(path, 'wx');
    await fill(file, sizeBytes).finally(() => file.close());
    if (!(await evictFile(path))) return null;
    const { execPath, execArgv } = launchInGroups(groups, (start) => start());
    const { stdout } = await promisify(execFile)(execPath, [...execArgv, '-e', readingProgram, path], {
      signal,
    });
    return (sizeBytes * 1000) / Number(stdout);
  } finally {
    await rm(path, { force: true });
  }
}

async function fill(file: FileHandle, sizeBytes: number): Promise<void> {
  // A file of zeros might be stored as a hole, which no disk is read for.
  const piece = Buffer.alloc(pieceBytes, 0xa5);
  for (let done = 0; done < sizeBytes; done += pieceBytes) await file.write(piece);
  await file.sync();
}
