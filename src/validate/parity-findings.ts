import type { Precision } from '../lib/variant.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { ParityResult } from './parity-result.js';
import { isRealType } from './to-reals.js';

/**
 * Says what a comparison came to, and what is odd about it.
 *
 * @param result - The comparison.
 * @param precision - The candidate's, where its record says it.
 * @param added - Outputs that only the candidate has.
 * @returns Findings: an error for a failed comparison, warnings for all else.
 */
export function findParityFindings(
  result: Omit<ParityResult, 'findings'>,
  precision: Precision | null,
  added: readonly string[],
): Finding[] {
  const { reference, candidate, verdict, reason } = result;
  const findings: Finding[] = [];
  if (verdict === 'fail')
    findings.push(makeFinding('error', 'parity-exceeded', { reference, candidate, reason }));
  if (verdict === 'partial' || verdict === 'inconclusive')
    findings.push(makeFinding('warning', 'parity-unjudged', { verdict, reason }));
  if (precision !== null && precision !== 'fp32' && isUntouched(result))
    findings.push(makeFinding('warning', 'parity-untouched', { candidate, precision }));
  if (added.length > 0)
    findings.push(makeFinding('warning', 'parity-output-added', { candidate, outputs: added }));
  return findings;
}

/** Storing weights with fewer bits moves real numbers, at least in the last place, wherever the weights matter. */
function isUntouched({ outputs }: Pick<ParityResult, 'outputs'>): boolean {
  const real = outputs.filter(
    (output) => output.type !== null && isRealType(output.type) && output.count > 0,
  );
  return real.length > 0 && real.every((output) => output.status === 'equal');
}
