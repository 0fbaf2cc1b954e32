import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.js';
import { settleAll } from '../../lib/settle-all.js';
import { type ArtifactExpansion, type ExpandedFile, partBytes } from '../../store/artifact-expansion.js';
import { type ByteSink, fileSink, memorySink } from '../../store/byte-sink.js';

/** The files of an expanded model while they are written. */
export type ExpandedFiles = {
  /** Writes bytes into one of them, at any offset. */
  readonly write: (index: number, offset: number, bytes: Uint8Array) => void;
  /** Writes what is still in memory; called when everything is verified. */
  readonly finish: () => Promise<void>;
  /** Closes them, whether they were finished or not. */
  readonly close: () => Promise<void>;
};

/**
 * Makes the files of an expanded model, each with its final size, and writes what the artifact's bytes are not needed for.
 *
 * @param expansion - The plan.
 * @param literals - The bytes that literal parts point into.
 * @param place - `folder`, an empty one, which whoever made it removes when this fails; `memoryBytes`: files that fit
 *   into so much, all together, are put together in memory, since the structure of a model is thousands of small pieces.
 * @returns The files, to be filled.
 * @throws The file system's own error.
 */
export async function makeExpandedFiles(
  { files }: ArtifactExpansion,
  literals: Uint8Array,
  { folder, memoryBytes }: { readonly folder: string; readonly memoryBytes: number },
): Promise<ExpandedFiles> {
  const inMemory = chooseInMemory(files, memoryBytes);
  const opened: FileHandle[] = [];
  const sinks: ByteSink[] = [];
  const close = async (): Promise<void> => {
    await settleAll(opened.map((file) => file.close()));
  };
  try {
    for (const { path, sizeBytes } of files) {
      const target = join(folder, path);
      await makeFolder(dirname(target));
      const memory = inMemory.get(path);
      sinks.push(memory === undefined ? await openSized(target, sizeBytes, opened) : memorySink(memory));
    }
    files.forEach((file, index) => {
      writeLiterals(file, literals, sinks[index]);
    });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    write: (index, offset, bytes) => sinks[index]?.write(offset, bytes),
    finish: async () => {
      for (const [path, bytes] of inMemory) await writeFile(join(folder, path), bytes, { flag: 'wx' });
    },
    close,
  };
}

function chooseInMemory(
  files: readonly ExpandedFile[],
  memoryBytes: number,
): ReadonlyMap<string, Uint8Array> {
  let leftBytes = memoryBytes;
  const chosen = new Map<string, Uint8Array>();
  for (const { path, sizeBytes } of files) {
    if (sizeBytes > leftBytes) continue;
    leftBytes -= sizeBytes;
    chosen.set(path, new Uint8Array(sizeBytes));
  }
  return chosen;
}

/** Zeros are what nothing is written to. */
async function openSized(path: string, sizeBytes: number, opened: FileHandle[]): Promise<ByteSink> {
  const file = await open(path, 'wx+');
  opened.push(file);
  await file.truncate(sizeBytes);
  return fileSink(file.fd);
}

function writeLiterals({ parts }: ExpandedFile, literals: Uint8Array, sink: ByteSink | undefined): void {
  let offset = 0;
  for (const part of parts) {
    if (part[0] === 'literal') sink?.write(offset, literals.subarray(part[1], part[1] + part[2]));
    offset += partBytes(part);
  }
}
