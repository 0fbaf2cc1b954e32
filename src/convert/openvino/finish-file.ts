import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { hashFile } from '../../lib/sha256.js';
import type { ArtifactFile } from '../../store/artifact-record.js';

/**
 * Makes sure that a file that another program wrote is on the device, and takes down what is in it.
 *
 * @param folder - Where it is.
 * @param name - What it is called there.
 * @param signal - Stops the reading.
 * @returns Its size and SHA-256.
 * @throws The file system's own error.
 */
export async function finishFile(folder: string, name: string, signal: AbortSignal): Promise<ArtifactFile> {
  const path = join(folder, name);
  const file = await open(path, 'r+');
  try {
    const [{ size }, sha256] = await Promise.all([file.stat(), hashFile(path, signal), file.sync()]);
    return { path: name, sizeBytes: size, sha256 };
  } finally {
    await file.close();
  }
}
