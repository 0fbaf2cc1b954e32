import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/**
 * Watches a folder and all that come into being below it.
 *
 * @param folder - It exists.
 * @param onPath - Told of each path that appeared, changed or went.
 * @returns Ends the watching.
 */
export function watchTree(folder: string, onPath: (path: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  const look = (path: string): void => {
    onPath(path);
    if (watchers.has(path)) return;
    try {
      // What came before the watcher was there would be missed.
      add(path);
      for (const name of readdirSync(path)) look(join(path, name));
    } catch {
      // A file, or gone already.
      watchers.get(path)?.close();
      watchers.delete(path);
    }
  };
  const add = (path: string): void => {
    readdirSync(path);
    const watcher = watch(path, (_event, name) => name !== null && look(join(path, name)));
    watcher.on('error', () => undefined);
    watchers.set(path, watcher);
  };
  add(folder);
  for (const name of readdirSync(folder)) look(join(folder, name));
  return () => {
    for (const watcher of watchers.values()) watcher.close();
  };
}
