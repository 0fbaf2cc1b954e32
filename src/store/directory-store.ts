import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hashFile } from '../lib/sha256.js';
import { writeFileAtomically } from '../lib/write-atomically.js';
import { OptimiseModelError } from '../messages/error.js';
import { copyVerified } from './copy-verified.js';
import { etagOf, headFile, openDirectoryReader } from './directory-reader.js';
import { refuseTooLarge } from './document-limit.js';
import { isMissing, translateFileSystemError } from './file-system-error.js';
import { holdLock } from './hold-lock.js';
import { listDirectory } from './list-directory.js';
import { removeEmptyFolders } from './remove-empty-folders.js';
import type { ExaminedObject, PutFile, StoredObject, WritableStore, WriteCondition } from './store.js';
import { checkKey } from './store-key.js';
import { sweepDirectory } from './sweep-directory.js';

/**
 * Opens a folder as a store: the embedded default, and what a mounted file system looks like.
 *
 * @param root - Absolute path of the folder; made when something is first written.
 * @returns The store.
 */
export function openDirectoryStore(root: string): WritableStore {
  const pathOf = (key: string): string => join(root, checkKey(key));
  return {
    ...openDirectoryReader(root),
    endpoint: null,
    examine: (key, signal) => examineFile(pathOf(key), key, signal),
    putFile: (file) => putFile(pathOf(file.key), file),
    write: (key, bytes, condition, signal) => writeDocument(pathOf(key), bytes, condition, signal),
    remove: (key) => removeFile(root, pathOf(key)),
    sweepUploads: (prefix, options, signal) => sweepDirectory(root, prefix, options, signal),
    list: (prefix) => listObjects(root, prefix),
  };
}

async function examineFile(
  path: string,
  key: string,
  signal: AbortSignal,
): Promise<ExaminedObject | undefined> {
  const found = await headFile(path, key);
  if (found === undefined) return undefined;
  try {
    return { ...found, sha256: await hashFile(path, signal) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw translateFileSystemError(error, 'read', path);
  }
}

async function putFile(path: string, file: PutFile): Promise<StoredObject> {
  try {
    await copyVerified(path, file);
  } catch (error) {
    throw translateFileSystemError(error, 'write', path);
  }
  const stored = await headFile(path, file.key);
  if (stored?.sizeBytes === file.sizeBytes) return stored;
  const seen = String(stored?.sizeBytes ?? 'nothing');
  const facts = { url: path, problem: 'its size in bytes', expected: String(file.sizeBytes), seen };
  throw OptimiseModelError.of('stored-differs', { ...facts, fate: 'it was left there' });
}

async function writeDocument(
  path: string,
  bytes: Uint8Array,
  condition: WriteCondition | undefined,
  signal: AbortSignal | undefined,
): Promise<{ etag: string }> {
  const replace = async (): Promise<void> => {
    const found = await headFile(path, '');
    if (condition !== undefined && found?.etag !== ('ifEtag' in condition ? condition.ifEtag : undefined)) {
      throw OptimiseModelError.of('write-conflict', { url: path });
    }
    signal?.throwIfAborted();
    await writeFileAtomically(path, bytes);
  };
  try {
    refuseTooLarge(path, bytes.length);
    await holdLock(path, replace, signal);
    return { etag: await etagOf(path, bytes) };
  } catch (error) {
    throw translateFileSystemError(error, 'write', path);
  }
}

async function removeFile(root: string, path: string): Promise<void> {
  try {
    await rm(path, { force: true });
    await removeEmptyFolders(root, path);
  } catch (error) {
    throw translateFileSystemError(error, 'write', path);
  }
}

async function* listObjects(root: string, prefix: string): AsyncIterable<StoredObject> {
  for await (const key of listDirectory(root, prefix)) {
    const found = await headFile(join(root, key), key);
    if (found !== undefined) yield found;
  }
}
