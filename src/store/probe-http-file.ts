import { showAddress } from '../lib/show-address.js';
import { OptimiseModelError } from '../messages/error.js';
import { fetchTrying, usualPatience } from './http-request.js';
import { type HubAddress, hubUrl } from './hub-address.js';
import { RetryBudget } from './retry-budget.js';

/** What a web server says of one file. */
export type HttpFile = {
  /** Where its ranges are read; redirects are behind it, and it may hold a signature. */
  readonly url: string;
  readonly sizeBytes: number;
  /** 64 lower-case hexadecimal digits; null where the server does not say. */
  readonly sha256: string | null;
};

const mostRedirects = 5;

/**
 * Asks a web server for one byte of a file, to learn its size, and where it is that redirects lead: asked with the
 * method that it will be read with, since signed addresses are good for one method only.
 *
 * @param url - http(s) address.
 * @returns The file.
 * @throws `object-missing`, `range-refused` when the server does not say the size, what `fetchTrying` throws.
 */
export async function probeHttpFile(url: string): Promise<HttpFile> {
  const response = await ask(url, { headers: { range: 'bytes=0-0' } });
  await response.body?.cancel();
  const contentRange = response.headers.get('content-range') ?? '';
  const sizeBytes = Number(/^bytes (?:\d+-\d+|\*)\/(\d+)$/.exec(contentRange)?.[1] ?? Number.NaN);
  if (Number.isSafeInteger(sizeBytes)) return { url: response.url || url, sizeBytes, sha256: null };
  const facts = { url: showAddress(url), status: response.status, contentRange };
  throw OptimiseModelError.of('range-refused', facts);
}

/**
 * Asks a model hub about a file. The answer names the commit, so that all ranges are of one version; for a large file
 * also its SHA-256, and where its bytes are.
 *
 * @param address - The file.
 * @returns The file.
 * @throws What {@link probeHttpFile} throws.
 * @see https://huggingface.co/docs/hub/storage-backends (`X-Linked-Size`, `X-Linked-Etag`, `X-Repo-Commit`)
 */
export async function probeHubFile(address: HubAddress): Promise<HttpFile> {
  let url = hubUrl(address);
  for (let redirects = 0; ; redirects += 1) {
    const response = await ask(url, { method: 'HEAD', redirect: 'manual' });
    await response.body?.cancel();
    const location = response.headers.get('location');
    const target = location === null ? undefined : new URL(location, url);
    const isElsewhere = target !== undefined && target.origin !== new URL(url).origin;
    const sizeBytes = readSize(response, target === undefined);
    // A repository that was renamed leads to its new name; the answer is there.
    if (target !== undefined && !isElsewhere && sizeBytes === undefined && redirects < mostRedirects) {
      url = target.href;
      continue;
    }
    const revision = response.headers.get('x-repo-commit');
    const pinned = redirects > 0 || revision === null ? url : hubUrl({ ...address, revision });
    const readUrl = isElsewhere ? target.href : pinned;
    if (sizeBytes === undefined) return probeHttpFile(readUrl);
    return { url: readUrl, sizeBytes, sha256: readSha256(response) };
  }
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  const request = { url, init, answerMs: usualPatience.answerMs, retries: new RetryBudget() };
  const response = await fetchTrying(request, undefined);
  if (response === undefined)
    throw OptimiseModelError.of('object-missing', { url: showAddress(url), isBare: true });
  return response;
}

function readSize({ headers }: Response, isAnswer: boolean): number | undefined {
  const text = headers.get('x-linked-size') ?? (isAnswer ? headers.get('content-length') : null);
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Of a file in Git LFS it is its SHA-256; any other has the hash of a Git object, which is something else. */
function readSha256({ headers }: Response): string | null {
  return /^(?:W\/)?"?([0-9a-f]{64})"?$/.exec(headers.get('x-linked-etag') ?? '')?.[1] ?? null;
}
