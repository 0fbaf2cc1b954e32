import { OptimiseModelError } from '../messages/error.js';

/**
 * Puts an error into one clause.
 *
 * @param error - What was thrown.
 * @returns Its message without the full stop.
 */
export function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}

/**
 * Tells whether the server itself refused a request: then it was not done.
 *
 * @param error - What was thrown.
 * @returns True for an answer with HTTP 4xx.
 */
export function isAnswered(error: unknown): boolean {
  const status = error instanceof OptimiseModelError ? Number(error.facts.status ?? 0) : 0;
  return status >= 400 && status < 500;
}

/**
 * Says what is wrong with a document, without the name that is said beside it.
 *
 * @param error - What was thrown when it was read.
 * @returns One clause.
 */
export function problemOf(error: unknown): string {
  const problem = error instanceof OptimiseModelError ? error.facts.problem : undefined;
  return typeof problem === 'string' ? problem : wordsOf(error);
}
