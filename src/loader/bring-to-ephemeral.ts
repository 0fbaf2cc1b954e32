import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BroughtModel } from './brought-model.js';
import { explainFullDisk, makeRoom, refuseFolder } from './ephemeral-space.js';
import {
  type KeptFile,
  type KeptPlace,
  makeFilesFolder,
  noteFiles,
  sweepFiles,
  takeOverFiles,
} from './kept-files.js';

/** Files that come to ephemeral storage, and how they are written there when no earlier process has left them. */
export type EphemeralFiles = {
  readonly place: KeptPlace;
  /** All files that `write` writes. */
  readonly files: readonly KeptFile[];
  /** Path of the file that a session is opened on; one of `files`. */
  readonly entry: string;
  /** What the expanded form takes, bytes; null for files as they were staged. */
  readonly expandedSizeBytes: number | null;
  /** Writes all files, verified, into an empty folder that only this process knows; whatever it leaves when it throws is removed. */
  readonly write: (folder: string) => Promise<void>;
};

/**
 * Brings files to ephemeral storage: takes over those that a process which has died had verified, else writes them.
 *
 * @param wanted - Which, and how they are written.
 * @returns The path of the entry file; discarding removes the files.
 * @throws `ephemeral-storage-full`, `ephemeral-folder-unusable` before anything is written; what `write` throws. Nothing
 *   is left then.
 */
export async function bringToEphemeral(wanted: EphemeralFiles): Promise<BroughtModel> {
  const { place, files, write } = wanted;
  // Before space is counted: what was left half done takes some.
  await sweepFiles(place.parent);
  const found = await takeOverFiles(place, files);
  if (found !== undefined) return present(wanted, found, true);
  const neededBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const need = { folder: place.parent, neededBytes, isExpanded: place.form === 'expanded' };
  await makeRoom(need);
  const folder = await makeFilesFolder(place).catch((error: unknown) => {
    throw refuseFolder(error, place.parent);
  });
  try {
    await write(folder);
    await noteFiles(folder, files);
    return present(wanted, folder, false);
  } catch (error) {
    // Asked before the folder is removed: afterwards there would be room again.
    const explained = await explainFullDisk(error, need);
    await rm(folder, { recursive: true, force: true });
    throw explained;
  }
}

function present(
  { entry, expandedSizeBytes }: EphemeralFiles,
  folder: string,
  isReused: boolean,
): BroughtModel {
  const discard = () => rm(folder, { recursive: true, force: true });
  return { source: { path: join(folder, entry) }, isReused, expandedSizeBytes, discard };
}
