import { OptimiseModelError } from '../messages/error.js';
import { refuseTooLarge } from './document-limit.js';
import { fetchTrying, isConnectionBroken, translateFetchError } from './http-request.js';
import { readResuming } from './resume-range.js';
import type { ByteRange, ReadableStore, StoredObject } from './store.js';
import { checkKey } from './store-key.js';
import { objectUrl } from './store-url.js';

/**
 * Opens a web server for reading: a model hub, a bucket behind a CDN, the benchmark's loopback server.
 *
 * @param url - Canonical address without a final slash.
 * @returns The store.
 */
export function openHttpStore(url: string): ReadableStore {
  const addressOf = (key: string): string => objectUrl(url, checkKey(key));
  return {
    url,
    head: (key, signal) => headUrl(addressOf(key), key, signal),
    read: (key, signal) => readUrl(addressOf(key), signal),
    readRange: (key, range, signal) => readUrlRange(addressOf(key), range, signal),
  };
}

async function headUrl(
  url: string,
  key: string,
  signal: AbortSignal | undefined,
): Promise<StoredObject | undefined> {
  const response = await fetchTrying(url, { method: 'HEAD' }, signal);
  if (response === undefined) return undefined;
  const sizeBytes = Number(response.headers.get('content-length') ?? Number.NaN);
  if (!Number.isSafeInteger(sizeBytes)) {
    throw OptimiseModelError.of('range-refused', { url, status: response.status, contentRange: 'no length' });
  }
  return { key, sizeBytes, etag: etagOf(response) };
}

async function readUrl(
  url: string,
  signal: AbortSignal | undefined,
): Promise<{ bytes: Uint8Array; etag: string }> {
  const response = await fetchFound(url, {}, signal);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      sizeBytes += chunk.length;
      refuseTooLarge(url, sizeBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw translateFetchError(error, url, 1, signal);
  }
  return { bytes: Buffer.concat(chunks), etag: etagOf(response) };
}

async function* readUrlRange(
  url: string,
  range: ByteRange,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  const transport = {
    open: (rest: ByteRange) => openRange(url, rest, signal),
    isWorthRetrying: isConnectionBroken,
    shortBody: (expected: number, seen: number) =>
      OptimiseModelError.of('download-corrupt', { url, problem: 'its size in bytes', expected, seen }),
  };
  try {
    yield* readResuming(transport, range, signal);
  } catch (error) {
    throw translateFetchError(error, url, 3, signal);
  }
}

async function openRange(
  url: string,
  range: ByteRange,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const last = range.offset + range.length - 1;
  const response = await fetchFound(url, { headers: { range: `bytes=${range.offset}-${last}` } }, signal);
  const contentRange = response.headers.get('content-range') ?? '';
  const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(contentRange);
  const answered = response.status === 206 && Number(match?.[1]) === range.offset;
  const total = match?.[3] === undefined || match[3] === '*' ? undefined : Number(match[3]);
  const isOtherSize = total !== undefined && total !== (range.objectSizeBytes ?? total);
  if (answered && !isOtherSize && Number(match?.[2]) === last) return response.body ?? emptyBody();
  await response.body?.cancel();
  if (isOtherSize || response.status === 416 || (answered && Number(match?.[2]) < last)) {
    const expected = range.objectSizeBytes ?? last + 1;
    const seen = total ?? (Number(match?.[2]) + 1 || 'fewer');
    throw OptimiseModelError.of('download-corrupt', { url, problem: 'its size in bytes', expected, seen });
  }
  throw OptimiseModelError.of('range-refused', { url, status: response.status, contentRange });
}

async function* emptyBody(): AsyncIterable<Uint8Array> {}

async function fetchFound(
  url: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const response = await fetchTrying(url, init, signal);
  if (response === undefined) throw OptimiseModelError.of('object-missing', { url });
  return response;
}

function etagOf(response: Response): string {
  const { headers } = response;
  return headers.get('etag') ?? `${headers.get('last-modified')}-${headers.get('content-length')}`;
}
