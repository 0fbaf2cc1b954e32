import { createReadStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hashBytes, hashFile } from '../lib/sha256.js';
import { writeFileAtomically } from '../lib/write-atomically.js';
import { OptimiseModelError } from '../messages/error.js';
import { copyVerified } from './copy-verified.js';
import { refuseTooLarge } from './document-limit.js';
import { isMissing, translateFileSystemError } from './file-system-error.js';
import { holdLock } from './hold-lock.js';
import { listDirectory } from './list-directory.js';
import { refuseUnlessFile } from './refuse-unless-file.js';
import { removeEmptyFolders } from './remove-empty-folders.js';
import type {
  ByteRange,
  ExaminedObject,
  PutFile,
  StoredObject,
  WritableStore,
  WriteCondition,
} from './store.js';
import { checkKey } from './store-key.js';
import { sweepDirectory } from './sweep-directory.js';

const hashedEtagLimitBytes = 1024 * 1024;

/**
 * Opens a folder as a store: the embedded default, and what a mounted file system looks like.
 *
 * @param root - Absolute path of the folder; made when something is first written.
 * @returns The store.
 */
export function openDirectoryStore(root: string): WritableStore {
  const pathOf = (key: string): string => join(root, checkKey(key));
  return {
    url: root,
    endpoint: null,
    head: (key) => headFile(pathOf(key), key),
    read: (key, signal) => readDocument(pathOf(key), signal),
    readRange: (key, range, signal) => readFileRange(pathOf(key), range, signal),
    examine: (key, signal) => examineFile(pathOf(key), key, signal),
    putFile: (file) => putFile(pathOf(file.key), file),
    write: (key, bytes, condition, signal) => writeDocument(pathOf(key), bytes, condition, signal),
    remove: (key) => removeFile(root, pathOf(key)),
    sweepUploads: (prefix, options, signal) => sweepDirectory(root, prefix, options, signal),
    list: (prefix) => listObjects(root, prefix),
  };
}

async function headFile(path: string, key: string): Promise<StoredObject | undefined> {
  try {
    const found = await stat(path, { bigint: true });
    if (!found.isFile()) return undefined;
    const sizeBytes = Number(found.size);
    const etag =
      sizeBytes <= hashedEtagLimitBytes ? hashBytes(await readFile(path)) : `${found.size}-${found.mtimeNs}`;
    return { key, sizeBytes, etag, modifiedAtMs: Number(found.mtimeMs) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw translateFileSystemError(error, 'read', path);
  }
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

async function readDocument(
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ bytes: Uint8Array; etag: string }> {
  signal?.throwIfAborted();
  try {
    const found = await stat(path);
    refuseUnlessFile(path, found);
    refuseTooLarge(path, found.size);
    const bytes = await readFile(path, { ...(signal === undefined ? {} : { signal }) });
    return { bytes, etag: await etagOf(path, bytes) };
  } catch (error) {
    if (isMissing(error)) throw OptimiseModelError.of('object-missing', { url: path }, error);
    throw translateFileSystemError(error, 'read', path);
  }
}

async function etagOf(path: string, bytes: Uint8Array): Promise<string> {
  if (bytes.length <= hashedEtagLimitBytes) return hashBytes(bytes);
  return (await headFile(path, ''))?.etag ?? '';
}

async function* readFileRange(
  path: string,
  range: ByteRange,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  const end = range.offset + range.length;
  const corrupt = (problem: string, expected: number, seen: number): OptimiseModelError =>
    OptimiseModelError.of('download-corrupt', { url: path, problem, expected, seen });
  try {
    const found = await stat(path);
    refuseUnlessFile(path, found);
    const { size } = found;
    range.pin?.hold(`${found.ino}-${size}-${found.mtimeMs}`, path);
    if (size !== (range.objectSizeBytes ?? size)) {
      throw corrupt('its size in bytes', range.objectSizeBytes ?? 0, size);
    }
    let seen = 0;
    const options = { start: range.offset, end: end - 1, highWaterMark: 1 << 20 };
    for await (const chunk of createReadStream(path, { ...options, ...(signal ? { signal } : {}) })) {
      seen += chunk.length;
      yield chunk;
    }
    if (seen !== range.length) throw corrupt('its size in bytes', end, range.offset + seen);
  } catch (error) {
    if (isMissing(error)) throw OptimiseModelError.of('object-missing', { url: path }, error);
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
