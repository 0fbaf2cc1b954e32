import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';

/** The few things that are done with control groups; a test puts a kernel of its own in. */
export type GroupFiles = {
  readonly make: (folder: string) => Promise<void>;
  /** Fails while a process, or another group, is in it. */
  readonly remove: (folder: string) => Promise<void>;
  /** Names of the groups right below one. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  readonly read: (path: string) => Promise<string>;
  readonly write: (path: string, text: string) => Promise<void>;
};

/** Those of this machine. */
export const groupFiles: GroupFiles = {
  make: async (folder) => void (await mkdir(folder)),
  remove: rmdir,
  list: async (folder) => {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  },
  read: (path) => readFile(path, 'utf8'),
  // A file that is not there is a setting this kernel does not have: it must not be created.
  write: (path, text) => writeFile(path, text, { flag: 'r+' }),
};
