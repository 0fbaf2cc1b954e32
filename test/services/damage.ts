import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** How far a client's clock may be off before S3 refuses it. */
const toleranceMs = 15 * 60 * 1000;

/**
 * Makes an S3 error document.
 *
 * @param code - Such as `SlowDown`.
 * @returns The XML.
 */
export function errorDocument(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>scripted ${code}</Message></Error>`;
}

/**
 * Flips one bit.
 *
 * @param bytes - What is damaged; unchanged itself.
 * @param near - Text right after which it happens; the middle when left out.
 * @returns Damaged bytes of the same length.
 */
export function damage(bytes: Buffer, near?: string): Buffer {
  const at = near === undefined ? bytes.length >> 1 : bytes.indexOf(near) + near.length;
  if (near !== undefined && !bytes.includes(near)) throw new Error(`nothing to damage: no ${near}`);
  if (bytes.length === 0) throw new Error('nothing to damage: the body is empty');
  const damaged = Buffer.from(bytes);
  damaged[at] = (damaged[at] ?? 0) ^ 1;
  return damaged;
}

/**
 * Replaces every checksum in an answer by another one of the same kind.
 *
 * @param answer - Its headers, or its body as text.
 * @returns The same with other checksums.
 */
export function wrongChecksums(answer: OutgoingHttpHeaders): OutgoingHttpHeaders;
export function wrongChecksums(answer: string): string;
export function wrongChecksums(answer: OutgoingHttpHeaders | string): OutgoingHttpHeaders | string {
  if (typeof answer === 'string')
    return answer.replace(
      /(<Checksum(?:CRC32|CRC32C|CRC64NVME|SHA1|SHA256)>)(.)/g,
      (_all, tag: string, first: string) => tag + other(first),
    );
  const isChecksum = (name: string): boolean => /^x-amz-checksum-(crc|sha)/.test(name);
  return mapHeaders(answer, isChecksum, (value) => other(value.slice(0, 1)) + value.slice(1));
}

/**
 * Replaces the ETag of an answer by one that has nothing to do with its content, as with encrypted objects.
 *
 * @param answer - Its headers, or its body as text.
 * @returns The same with another ETag.
 */
export function wrongEtag(answer: OutgoingHttpHeaders): OutgoingHttpHeaders;
export function wrongEtag(answer: string): string;
export function wrongEtag(answer: OutgoingHttpHeaders | string): OutgoingHttpHeaders | string {
  const replace = (text: string): string => text.replace(/[0-9a-f]{32}/, '0123456789abcdef0123456789abcdef');
  if (typeof answer === 'string') return answer.replace(/<ETag>[^<]*/g, replace);
  return mapHeaders(answer, (name) => name === 'etag', replace);
}

function mapHeaders(
  headers: OutgoingHttpHeaders,
  isMeant: (name: string) => boolean,
  change: (value: string) => string,
): OutgoingHttpHeaders {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isMeant(name) ? change(String(value)) : value]),
  );
}

function other(letter: string): string {
  return letter === 'A' ? 'B' : 'A';
}

/**
 * Says whether a request is signed for a time that a server whose clock is ahead refuses.
 *
 * @param headers - Of the request.
 * @param aheadMs - How far the server is ahead.
 * @returns Whether it is.
 */
export function isSkewed(headers: IncomingHttpHeaders, aheadMs: number): boolean {
  const [, date, time] = /^(\d{8})T(\d{6})Z$/.exec(String(headers['x-amz-date'])) ?? [];
  const iso = `${date?.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time?.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`;
  return !(Math.abs(Date.parse(iso) - Date.now() - aheadMs) <= toleranceMs);
}

/**
 * Gives a request the true time; its signature no longer fits then.
 *
 * @param headers - Of the request.
 * @returns The same with another `x-amz-date`.
 */
export function stampNow(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const now = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  return { ...headers, 'x-amz-date': now };
}

/**
 * Shifts the date of an answer.
 *
 * @param headers - Of the answer.
 * @param aheadMs - How far.
 * @returns The same with another `date`.
 */
export function addAhead(headers: IncomingHttpHeaders, aheadMs: number): IncomingHttpHeaders {
  if (aheadMs === 0 || headers.date === undefined) return headers;
  return { ...headers, date: new Date(Date.parse(headers.date) + aheadMs).toUTCString() };
}
