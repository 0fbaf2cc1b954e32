import type { BigIntStats, Stats } from 'node:fs';
import { OptimiseModelError } from '../messages/error.js';

/**
 * Refuses what is no file before it is opened: reading a named pipe would wait for someone to write into it.
 *
 * @param path - Where it is.
 * @param found - What `stat` says of it.
 * @throws `not-a-file` saying what it is instead.
 */
export function refuseUnlessFile(path: string, found: Stats | BigIntStats): void {
  if (!found.isFile()) throw OptimiseModelError.of('not-a-file', { path, seen: nameKind(found) });
}

function nameKind(found: Stats | BigIntStats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
