import { createReadStream } from 'node:fs';
import { writeAtomically } from '../lib/write-atomically.js';

/**
 * Copies a file byte by byte, so that the target is whole or not there.
 *
 * @param source - The file to read.
 * @param target - The file to write.
 */
export async function copyAtomically(source: string, target: string): Promise<void> {
  await writeAtomically(target, async (file) => {
    for await (const chunk of createReadStream(source, { highWaterMark: 1 << 20 }))
      await file.writeFile(chunk);
  });
}
