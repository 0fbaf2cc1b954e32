import type { InferencePrecision } from '../lib/variant.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { ParityJudgement } from './judge-parity.js';

/**
 * Judges a candidate that was computed in something else than it is for: a processor without such instructions computes
 * in FP32 and says nothing, and how near that comes proves nothing about the candidate.
 *
 * @param candidate - The candidate as it was named.
 * @param asked - What it is to be computed in.
 * @param used - What it was computed in, read back from the engine.
 * @returns The verdict with a finding; null when both are the same.
 */
export function explainOtherInference(
  candidate: string,
  asked: InferencePrecision,
  used: InferencePrecision,
): { readonly judgement: ParityJudgement; readonly finding: Finding } | null {
  if (asked === used) return null;
  const finding = makeFinding('warning', 'parity-inference-not-used', { candidate, asked, used });
  const reason = `this processor computed in ${used} where ${asked} was asked for, which proves nothing about ${asked}.`;
  return { judgement: { verdict: 'inconclusive', reason }, finding };
}
