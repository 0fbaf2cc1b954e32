import type { Engine } from '../lib/variant.js';
import { OptimiseModelError } from '../messages/error.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { ParityJudgement } from './judge-parity.js';

/** Errors that say something about the candidate; all others mean that nothing could be judged. */
const refusals: readonly string[] = [
  'runtime-refused-model',
  'openvino-refused-model',
  'runtime-run-failed',
  'runtime-crashed',
  'runtime-late',
  'feed-wrong',
];

/** Why a candidate did not run where its reference did. */
export type Refusal = ParityJudgement & { readonly finding: Finding };

/**
 * Judges a candidate that did not run although its reference did.
 *
 * @param error - What came of the attempt.
 * @param candidate - The candidate as it was named.
 * @param engine - What it is made for.
 * @returns `fail`, or `inconclusive` for a process that was killed from outside, most likely because memory ran out, or
 *   that took too long: both say as much about the machine as about the candidate.
 * @throws The error when it says nothing about the candidate.
 */
export function explainRefusal(error: unknown, candidate: string, engine: Engine): Refusal {
  if (!(error instanceof OptimiseModelError) || !refusals.includes(error.code)) throw error;
  const { code, message: problem, facts } = error;
  const isKilled = code === 'runtime-late' || (code === 'runtime-crashed' && facts.signal === 'SIGKILL');
  const words = { candidate, engine, code, problem, isKilled };
  return {
    verdict: isKilled ? 'inconclusive' : 'fail',
    reason: `the candidate did not run: ${problem}`,
    finding: makeFinding(isKilled ? 'warning' : 'error', 'parity-candidate-refused', words),
  };
}
