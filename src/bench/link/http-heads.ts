import type { BodyLength } from './body-length.js';

/** What has to be known of a request to follow its connection. */
export type RequestHead = { readonly method: string; readonly path: string };

const nothing: BodyLength = { kind: 'bytes', sizeBytes: 0 };

/**
 * Reads the first line of a request.
 *
 * @param head - Its text up to the empty line.
 * @returns Method and path; empty where there is none.
 */
export function readRequestHead(head: string): RequestHead {
  const [method = '', path = ''] = head.trimStart().split(' ', 2);
  return { method, path };
}

/**
 * Tells how long the body of a request is.
 *
 * @param head - Its text up to the empty line.
 * @returns Its length.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-6.3
 */
export function lengthOfRequest(head: string): BodyLength {
  return statedLength(head) ?? nothing;
}

/**
 * Reads the status of a reply.
 *
 * @param head - Its text up to the empty line.
 * @returns Such as 200; 0 where there is none.
 */
export function readStatus(head: string): number {
  return Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? 0);
}

/**
 * Tells whether another reply to the same request follows.
 *
 * @param status - Of this one.
 * @returns True for 100 (Continue) and its like.
 */
export function isInterim(status: number): boolean {
  return status >= 100 && status < 200 && status !== 101;
}

/**
 * Tells how long the body of a reply is.
 *
 * @param head - Its text up to the empty line.
 * @param method - Of the request that it answers.
 * @returns Its length.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-6.3
 */
export function lengthOfReply(head: string, method: string): BodyLength {
  const status = readStatus(head);
  if (status === 101 || (method === 'CONNECT' && status < 300)) return { kind: 'rest' };
  if (method === 'HEAD' || isInterim(status) || status === 204 || status === 304) return nothing;
  return statedLength(head) ?? { kind: 'rest' };
}

function statedLength(head: string): BodyLength | undefined {
  if (/^transfer-encoding:.*\bchunked[ \t]*\r?$/im.test(head)) return { kind: 'chunked' };
  const digits = /^content-length:[ \t]*(\d+)[ \t]*\r?$/im.exec(head)?.[1];
  return digits === undefined ? undefined : { kind: 'bytes', sizeBytes: Number(digits) };
}
