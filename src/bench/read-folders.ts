import { dirname } from 'node:path';
import { nameRemoteFileSystem } from '../lib/remote-file-system.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { CacheMode } from './cache/cache-state.js';
import type { RowSource } from './locate-row.js';
import type { PlannedRow } from './plan-rows.js';

/** A folder of this machine that samples read an artifact from. */
export type ReadFolder = {
  readonly folder: string;
  /** Such as `fp32.single by layer`. */
  readonly rows: readonly string[];
  /** What its files come through, such as `FUSE`; null for a file system of this machine's kernel alone. */
  readonly fileSystem: string | null;
  /** Whether nothing but `mount` reads from it. */
  readonly isMount: boolean;
};

/**
 * Lists the folders of this machine that rows read from: of layers, of a mount, and of a store that is read as it is.
 *
 * @param planned - The rows.
 * @param sources - Where each opens its model, in the same order.
 * @param nameFileSystem - Tells what files come through.
 * @returns Each folder once.
 */
export async function listReadFolders(
  planned: readonly PlannedRow[],
  sources: readonly Pick<RowSource, 'readFiles'>[],
  nameFileSystem: (path: string) => Promise<string | null> = nameRemoteFileSystem,
): Promise<readonly ReadFolder[]> {
  const found = planned.flatMap((row, index) =>
    (sources[index]?.readFiles ?? []).map((file) => ({ folder: dirname(file), row })),
  );
  return Promise.all(
    [...new Set(found.map(({ folder }) => folder))].map(async (folder) => {
      const rows = found.filter((each) => each.folder === folder).map(({ row }) => row);
      return {
        folder,
        rows: [...new Set(rows.map(({ target, delivery }) => `${target.variantId} by ${delivery}`))],
        fileSystem: await nameFileSystem(folder),
        isMount: rows.every(({ delivery }) => delivery === 'mount'),
      };
    }),
  );
}

/**
 * Says which rows may find files in a cache that is not the kernel's, whatever their state is called.
 *
 * @param folders - What rows read from.
 * @param cacheMode - What is done to the kernel's cache; where files are to be warm there is nothing to be said.
 * @returns One warning per kind of file system.
 */
export function listUnseenCaches(folders: readonly ReadFolder[], cacheMode: CacheMode): Finding[] {
  if (cacheMode === 'warm') return [];
  const kinds = [...new Set(folders.flatMap(({ fileSystem }) => fileSystem ?? []))];
  return kinds.map((fileSystem) => {
    const own = folders.filter((each) => each.fileSystem === fileSystem);
    const rows = [...new Set(own.flatMap((each) => each.rows))];
    return makeFinding('warning', 'bench-mount-cache-unseen', {
      fileSystem,
      folders: own.map(({ folder }) => folder),
      rows,
    });
  });
}
