import { showAddress } from '../lib/show-address.js';
import { OptimiseModelError } from '../messages/error.js';
import { hubAuthorization } from './hub-address.js';
import { silenceOf } from './read-patiently.js';
import { pause } from './resume-range.js';
import type { RetryBudget } from './retry-budget.js';

const tries = 3;

/** How long a server may be silent before it counts as gone, per try. */
export type HttpPatience = {
  /** From the request to the head of the answer, ms. */
  readonly answerMs: number;
  /** Between two pieces of the body, ms. */
  readonly idleMs: number;
};

/** What is usual: Node's own limits are five minutes each. */
export const usualPatience: HttpPatience = { answerMs: 30_000, idleMs: 60_000 };

/** What is asked of a web server, and how patiently. */
export type HttpRequest = {
  /** It may hold a signature: messages show it without. */
  readonly url: string;
  /** Method and headers. */
  readonly init: RequestInit;
  /** How long it is waited for an answer, ms per try. */
  readonly answerMs: number;
  /** How often it may be tried again, shared by all that is read together. */
  readonly retries: RetryBudget;
};

/**
 * Asks a web server, up to 3 times when the connection breaks or the server says 429 or 5xx.
 *
 * @param request - What is asked.
 * @param signal - Stops asking and waiting.
 * @returns The answer (2xx, 416 for a range beyond the end, 3xx where redirects are not followed); undefined for 404 and 410.
 * @throws `http-failed` for any other status, `http-unreachable` without an answer, the signal's reason.
 */
export async function fetchTrying(
  request: HttpRequest,
  signal: AbortSignal | undefined,
): Promise<Response | undefined> {
  const { url, retries } = request;
  for (let attempt = 1; ; attempt += 1) {
    const mayTryAgain = (): boolean => attempt < tries && retries.take();
    const response = await tryOnce(request, attempt, mayTryAgain, signal);
    if (response === undefined) {
      await pause(attempt, signal);
      continue;
    }
    if (response.ok || response.status === 416 || isAskedRedirect(request, response)) return response;
    await response.body?.cancel();
    if (response.status === 404 || response.status === 410) return undefined;
    const isTemporary = response.status >= 500 || response.status === 429;
    if (!isTemporary || !mayTryAgain()) {
      const facts = { url: showAddress(url), status: response.status, attempts: attempt };
      throw OptimiseModelError.of('http-failed', facts);
    }
    await pause(attempt, signal);
  }
}

function isAskedRedirect({ init }: HttpRequest, { status }: Response): boolean {
  return init.redirect === 'manual' && status >= 300 && status < 400;
}

/** Where a snapshot will be taken of this process: in it, an open connection would be dead, and `fetch` cannot close one. */
function leaveNothingOpen(environment: NodeJS.ProcessEnv): { readonly connection?: 'close' } {
  return environment.AWS_LAMBDA_INITIALIZATION_TYPE === 'snap-start' ? { connection: 'close' } : {};
}

async function tryOnce(
  { url, init, answerMs }: HttpRequest,
  attempt: number,
  mayTryAgain: () => boolean,
  signal: AbortSignal | undefined,
): Promise<Response | undefined> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(silenceOf(answerMs)), answerMs);
  const either = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]);
  // Compressed bodies have another length than the object, and ranges of them mean something else.
  const asked = { ...(init.headers as Record<string, string>), 'accept-encoding': 'identity' };
  const headers = { ...asked, ...hubAuthorization(url, process.env), ...leaveNothingOpen(process.env) };
  try {
    return await fetch(url, { ...init, headers, signal: either });
  } catch (error) {
    if (isConnectionBroken(error) && !signal?.aborted && mayTryAgain()) return undefined;
    throw translateFetchError(error, url, attempt, signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Tells whether an error of `fetch` is a broken connection, as opposed to an answer.
 *
 * @param error - What was thrown.
 * @returns True for what another try may mend.
 */
export function isConnectionBroken(error: unknown): boolean {
  // undici reports everything below HTTP as a TypeError that carries the reason as its cause.
  return error instanceof TypeError;
}

/**
 * Puts an error of `fetch` into our words; ours and a stop pass unchanged.
 *
 * @param error - What was thrown.
 * @param url - The address.
 * @param attempts - How often it was asked.
 * @param signal - The caller's signal, whose reason wins.
 * @returns The error to throw.
 */
export function translateFetchError(
  error: unknown,
  url: string,
  attempts: number,
  signal: AbortSignal | undefined,
): unknown {
  if (signal?.aborted) return signal.reason;
  if (!isConnectionBroken(error)) return error;
  const facts = { url: showAddress(url), reason: reasonOf(error), attempts };
  return OptimiseModelError.of('http-unreachable', facts, error);
}

function reasonOf(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  if (!(innermost instanceof Error)) return String(innermost);
  // A host with several addresses fails with an AggregateError that has no message of its own.
  const code = 'code' in innermost ? String(innermost.code) : '';
  return innermost.message || code || innermost.name;
}
