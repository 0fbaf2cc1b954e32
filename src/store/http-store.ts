import { showAddress } from '../lib/show-address.js';
import { OptimiseModelError } from '../messages/error.js';
import { refuseTooLarge } from './document-limit.js';
import {
  fetchTrying,
  type HttpPatience,
  isConnectionBroken,
  translateFetchError,
  usualPatience,
} from './http-request.js';
import { readPatiently } from './read-patiently.js';
import { readResuming } from './resume-range.js';
import { RetryBudget } from './retry-budget.js';
import type { ByteRange, ReadableStore, StoredObject } from './store.js';
import { checkKey } from './store-key.js';
import { objectUrl } from './store-url.js';
import { objectChanged } from './version-pin.js';

/**
 * Opens a web server for reading: a model hub, a bucket behind a CDN, the benchmark's loopback server.
 *
 * @param url - Canonical address without a final slash.
 * @param patience - How long it may be silent.
 * @returns The store.
 */
export function openHttpStore(url: string, patience: HttpPatience = usualPatience): ReadableStore {
  const placeOf = (key: string): Place => ({ url: objectUrl(url, checkKey(key)), patience });
  return {
    url,
    head: (key, signal) => headUrl(placeOf(key), key, signal),
    read: (key, signal) => readUrl(placeOf(key), signal),
    readRange: (key, range, signal) => readUrlRange(placeOf(key), range, signal),
  };
}

/**
 * Opens one file of a web server for reading, whatever its address: also one with a signature in its query.
 *
 * @param address - Where it is read from.
 * @param url - Canonical address of the folder that messages and {@link ReadableStore.url} name.
 * @param key - The only key there is: what messages call the file.
 * @param patience - How long the server may be silent.
 * @returns A store of this file.
 */
export function openHttpFile(
  address: string,
  url: string,
  key: string,
  patience: HttpPatience = usualPatience,
): ReadableStore {
  const place = { url: address, patience };
  return {
    url,
    head: (_key, signal) => headUrl(place, key, signal),
    read: (_key, signal) => readUrl(place, signal),
    readRange: (_key, range, signal) => readUrlRange(place, range, signal),
  };
}

type Place = { readonly url: string; readonly patience: HttpPatience };

async function headUrl(
  { url, patience }: Place,
  key: string,
  signal: AbortSignal | undefined,
): Promise<StoredObject | undefined> {
  const asked = { url, init: { method: 'HEAD' }, answerMs: patience.answerMs, retries: new RetryBudget() };
  const response = await fetchTrying(asked, signal);
  if (response === undefined) return undefined;
  const sizeBytes = Number(response.headers.get('content-length') ?? Number.NaN);
  if (!Number.isSafeInteger(sizeBytes)) {
    const facts = { url: showAddress(url), status: response.status, contentRange: 'no length' };
    throw OptimiseModelError.of('range-refused', facts);
  }
  const modifiedAtMs = Date.parse(response.headers.get('last-modified') ?? '') || null;
  return { key, sizeBytes, etag: etagOf(response), modifiedAtMs };
}

async function readUrl(
  place: Place,
  signal: AbortSignal | undefined,
): Promise<{ bytes: Uint8Array; etag: string }> {
  const { url, patience } = place;
  const response = await fetchFound(place, {}, new RetryBudget(), signal);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of readBody(response, patience)) {
      sizeBytes += chunk.length;
      refuseTooLarge(showAddress(url), sizeBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw translateFetchError(error, url, 1, signal);
  }
  return { bytes: Buffer.concat(chunks), etag: etagOf(response) };
}

async function* readUrlRange(
  place: Place,
  range: ByteRange,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  const { url } = place;
  const shown = showAddress(url);
  const transport = {
    open: (rest: ByteRange) => openRange(place, rest, signal),
    isWorthRetrying: isConnectionBroken,
    shortBody: (expected: number, seen: number) =>
      OptimiseModelError.of('download-corrupt', { url: shown, problem: 'its size in bytes', expected, seen }),
  };
  try {
    yield* readResuming(transport, range, signal);
  } catch (error) {
    throw translateFetchError(error, url, 3, signal);
  }
}

async function openRange(
  place: Place,
  range: ByteRange,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const url = showAddress(place.url);
  const last = range.offset + range.length - 1;
  const response = await askForRange(place, range, last, signal);
  const contentRange = response.headers.get('content-range') ?? '';
  const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(contentRange);
  const answered = response.status === 206 && Number(match?.[1]) === range.offset;
  const total = match?.[3] === undefined || match[3] === '*' ? undefined : Number(match[3]);
  const isOtherSize = total !== undefined && total !== (range.objectSizeBytes ?? total);
  if (answered && !isOtherSize && Number(match?.[2]) === last) return readBody(response, place.patience);
  await response.body?.cancel();
  if (isOtherSize || response.status === 416 || (answered && Number(match?.[2]) < last)) {
    const expected = range.objectSizeBytes ?? last + 1;
    const seen = total ?? (Number(match?.[2]) + 1 || 'fewer');
    throw OptimiseModelError.of('download-corrupt', { url, problem: 'its size in bytes', expected, seen });
  }
  throw OptimiseModelError.of('range-refused', { url, status: response.status, contentRange });
}

/** For the version that the reading began with, where the server names versions. */
async function askForRange(
  place: Place,
  { offset, pin, retries = new RetryBudget() }: ByteRange,
  last: number,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const url = showAddress(place.url);
  const ifMatch = pin?.etag === undefined ? {} : { 'if-match': pin.etag };
  const init = { headers: { range: `bytes=${offset}-${last}`, ...ifMatch } };
  const response = await fetchFound(place, init, retries, signal).catch((error: unknown) => {
    if (!(error instanceof OptimiseModelError) || error.facts.status !== 412) throw error;
    throw objectChanged(url, pin?.etag ?? '', 'another');
  });
  const etag = response.headers.get('etag') ?? '';
  // A weak one (W/"…") does not say that the bytes are the same, and never fulfils If-Match.
  if (etag.startsWith('"') && response.status === 206) {
    try {
      pin?.hold(etag, url);
    } catch (error) {
      await response.body?.cancel();
      throw error;
    }
  }
  return response;
}

async function* readBody({ body }: Response, { idleMs }: HttpPatience): AsyncIterable<Uint8Array> {
  if (body !== null) yield* readPatiently(body, idleMs);
}

async function fetchFound(
  { url, patience }: Place,
  init: RequestInit,
  retries: RetryBudget,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const response = await fetchTrying({ url, init, answerMs: patience.answerMs, retries }, signal);
  if (response === undefined) throw OptimiseModelError.of('object-missing', { url: showAddress(url) });
  return response;
}

function etagOf(response: Response): string {
  const { headers } = response;
  return headers.get('etag') ?? `${headers.get('last-modified')}-${headers.get('content-length')}`;
}
