import { closeSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

const buffer = new Uint8Array(1 << 20);
/** So many scripts take some milliseconds. */
const scriptsPerTurn = 128;

/**
 * Reads files once, so that they are in the page cache as the stated cache state says. Nothing of them is kept.
 *
 * @param paths - The files.
 * @param signal - Stops the reading.
 * @throws The file system's error for the first that cannot be read; the signal's reason.
 */
export async function warmFiles(paths: readonly string[], signal: AbortSignal): Promise<void> {
  for (const path of paths) {
    signal.throwIfAborted();
    const file = await open(path);
    try {
      await readThrough(file, signal);
    } finally {
      await file.close();
    }
  }
}

async function readThrough(file: FileHandle, signal: AbortSignal): Promise<void> {
  while ((await file.read(buffer, 0, buffer.length)).bytesRead > 0) signal.throwIfAborted();
}

/**
 * Reads the tool's own scripts once, as {@link warmFiles} does, but in this thread, as it has read them itself: of a
 * thousand small files, handing each to another thread takes ten times as long as reading it, before every sample.
 *
 * @param paths - The scripts; nothing that this process serves.
 * @param signal - Stops the reading.
 * @throws The file system's error for the first that cannot be read; the signal's reason.
 */
export async function warmScripts(paths: readonly string[], signal: AbortSignal): Promise<void> {
  for (const [index, path] of paths.entries()) {
    if (index % scriptsPerTurn === 0) await nextTurn();
    signal.throwIfAborted();
    const file = openSync(path, 'r');
    try {
      while (readSync(file, buffer, 0, buffer.length, null) > 0);
    } finally {
      closeSync(file);
    }
  }
}

/**
 * Lists the JavaScript below a folder.
 *
 * @param folder - Where to look, at any depth.
 * @returns Paths of all `.js` files.
 */
export async function listScripts(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith('.js')).map((name) => join(folder, name));
}
