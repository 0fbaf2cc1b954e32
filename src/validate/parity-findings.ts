import { type Finding, makeFinding } from '../messages/finding.js';
import { describeUndiscriminated, isUndiscriminated } from './describe-undiscriminated.js';
import { isJudged } from './judge-parity.js';
import type { ParitySubject } from './open-subject.js';
import type { ParityResult } from './parity-result.js';
import { isRealType } from './to-reals.js';

/**
 * Says what a comparison came to, and what is odd about it.
 *
 * @param result - The comparison.
 * @param subject - The candidate: its engine, its precision where its record says it, and what it was computed in.
 * @param added - Outputs that only the candidate has.
 * @returns Findings: an error for a failed comparison, warnings for all else.
 */
export function findParityFindings(
  result: Omit<ParityResult, 'findings'>,
  { engine, precision, inference }: Pick<ParitySubject, 'engine' | 'precision' | 'inference'>,
  added: readonly string[],
): Finding[] {
  const { reference, candidate, verdict, reason } = result;
  const findings: Finding[] = [];
  if (verdict === 'fail')
    findings.push(
      makeFinding('error', 'parity-exceeded', {
        ...{ reference, candidate, inference, reason },
        isOpenvinoFp32: engine === 'openvino' && precision === 'fp32',
      }),
    );
  if (isUnjudgedOtherwise(result))
    findings.push(makeFinding('warning', 'parity-unjudged', { verdict, reason }));
  findings.push(...findUndiscriminated(result), ...findConstant(result));
  if (precision !== null && precision !== 'fp32' && isUntouched(result))
    findings.push(makeFinding('warning', 'parity-untouched', { candidate, precision }));
  if (added.length > 0)
    findings.push(makeFinding('warning', 'parity-output-added', { candidate, outputs: added }));
  return findings;
}

/** What bounds cannot tell apart has a finding of its own, with a remedy of its own. */
function isUnjudgedOtherwise({ verdict, outputs, nondeterministic }: Judged): boolean {
  if (verdict === 'pass' || verdict === 'fail') return false;
  const unjudged = outputs.filter((output) => !isJudged(output));
  return nondeterministic.length > 0 || unjudged.length === 0 || !unjudged.every(isUndiscriminated);
}

function findUndiscriminated({ candidate, bounds, outputs, nondeterministic }: Judged): Finding[] {
  // Values of random operators were not put to the bounds at all.
  const found = nondeterministic.length > 0 ? [] : outputs.filter(isUndiscriminated);
  if (found.length === 0) return [];
  const facts = found.map(({ name, maxAbsReference, belowAtolShare, passedBy }) => ({
    ...{ name, maxAbsReference, belowAtolShare, passedBy },
    seen: describeUndiscriminated({ maxAbsReference, belowAtolShare, passedBy, atol: bounds.atol }),
  }));
  return [makeFinding('warning', 'parity-not-discriminating', { candidate, outputs: facts })];
}

function findConstant({ candidate, verdict, outputs }: Judged): Finding[] {
  // An output of one element is always one number, which says something unless it is 0.
  const found = outputs.filter(
    ({ isConstant, count, maxAbsReference }) => isConstant && (count > 1 || maxAbsReference === 0),
  );
  if (verdict === 'fail' || found.length === 0) return [];
  const isAll = outputs.every((output) => found.includes(output) || !isJudged(output));
  const facts = { candidate, outputs: found.map(({ name }) => name) };
  return [makeFinding(isAll ? 'warning' : 'info', 'parity-constant-output', facts)];
}

type Judged = Omit<ParityResult, 'findings'>;

/** Storing weights with fewer bits moves real numbers, at least in the last place, wherever the weights matter. */
function isUntouched({ outputs }: Pick<ParityResult, 'outputs'>): boolean {
  const real = outputs.filter(
    (output) => output.type !== null && isRealType(output.type) && output.count > 0,
  );
  return real.length > 0 && real.every((output) => output.status === 'equal');
}
