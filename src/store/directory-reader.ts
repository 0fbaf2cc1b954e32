import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hashBytes } from '../lib/sha256.js';
import { OptimiseModelError } from '../messages/error.js';
import { refuseTooLarge } from './document-limit.js';
import { isMissing, translateFileSystemError } from './file-system-error.js';
import { refuseUnlessFile } from './refuse-unless-file.js';
import type { ByteRange, ReadableStore, StoredObject } from './store.js';
import { checkKey } from './store-key.js';

const hashedEtagLimitBytes = 1024 * 1024;

/**
 * Opens a folder for reading: the embedded default, and what a mounted file system looks like. What writes is not loaded
 * with it, since a handler only reads.
 *
 * @param root - Absolute path of the folder.
 * @returns The store.
 */
export function openDirectoryReader(root: string): ReadableStore {
  const pathOf = (key: string): string => join(root, checkKey(key));
  return {
    url: root,
    head: (key) => headFile(pathOf(key), key),
    read: (key, signal) => readDocument(pathOf(key), signal),
    readRange: (key, range, signal) => readFileRange(pathOf(key), range, signal),
  };
}

/**
 * Looks at a file.
 *
 * @param path - The file.
 * @param key - Its key in the store.
 * @returns The object; undefined when there is no such file.
 * @throws `file-system-refused`.
 */
export async function headFile(path: string, key: string): Promise<StoredObject | undefined> {
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

/**
 * Names the version of a document.
 *
 * @param path - The file.
 * @param bytes - Its content.
 * @returns Its ETag.
 * @throws `file-system-refused`.
 */
export async function etagOf(path: string, bytes: Uint8Array): Promise<string> {
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
