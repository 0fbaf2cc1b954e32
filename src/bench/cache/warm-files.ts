import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const buffer = new Uint8Array(1 << 20);

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
 * Lists the JavaScript below a folder.
 *
 * @param folder - Where to look, at any depth.
 * @returns Paths of all `.js` files.
 */
export async function listScripts(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith('.js')).map((name) => join(folder, name));
}
