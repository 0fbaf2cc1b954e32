import { formatError, formatTolerance } from '../lib/format-tolerance.js';
import { isUndiscriminated } from './describe-undiscriminated.js';
import type { OutputParity, ParityBounds, ParityVerdict } from './parity-result.js';
import { isRealType } from './to-reals.js';

/** A smaller share of elements above atol is told. */
const fewShare = 0.01;

/** A verdict and why. */
export type ParityJudgement = { readonly verdict: ParityVerdict; readonly reason: string };

/**
 * Draws the verdict from all outputs: a wrong type, shape or missing output always fails; values fail unless random
 * operators make them incomparable; and only what was really compared can pass. An output of 0 elements is equal and
 * does not stand in the way of a pass, but it carries none alone. Not judged, whatever bounds are given, are real numbers
 * without a finite pair, and those within bounds that zeros or one number throughout would pass as well; bit-equality
 * needs no bounds, and an output that is one number in the reference is judged as that number.
 *
 * @param outputs - All outputs of the reference, compared or skipped.
 * @param nondeterministic - Operators of either model that draw random numbers without a seed.
 * @param bounds - The bounds, for the words.
 * @returns The verdict with one sentence, which says on pass and on fail which tolerance would have been needed.
 */
export function judgeParity(
  outputs: readonly OutputParity[],
  nondeterministic: readonly string[],
  bounds: ParityBounds,
): ParityJudgement {
  const outside = outputs.filter((output) => output.status === 'outside');
  const formWrong = outside.filter((output) => output.outsideCount === 0 && !hasFigures(output));
  if (nondeterministic.length > 0 && formWrong.length === 0) {
    const plural = nondeterministic.length === 1 ? '' : 's';
    return {
      verdict: 'inconclusive',
      reason: `nondeterministic operator${plural} ${nondeterministic.join(', ')}: values differ from run to run, only types and shapes were held against each other.`,
    };
  }
  if (outside.length > 0) return { verdict: 'fail', reason: describeFailure(outside, bounds) };
  const unjudged = outputs.filter((output) => !isJudged(output));
  const judged = outputs.filter((output) => !unjudged.includes(output));
  const list = (some: readonly OutputParity[]) =>
    some.map((output) => `\`${output.name}\` (${output.reason})`).join(', ');
  if (judged.every((output) => output.count === 0))
    return {
      verdict: 'inconclusive',
      reason: `no output could be judged: ${list(outputs) || 'there is none'}.`,
    };
  if (unjudged.length === 0) return { verdict: 'pass', reason: describePass(judged, bounds) };
  return {
    verdict: 'partial',
    reason: `${describePass(judged, bounds)} Not judged: ${list(unjudged)}.`,
  };
}

function hasFigures(output: OutputParity): boolean {
  return output.maxAbsError !== null || output.nanReference > 0 || output.infReference > 0;
}

/**
 * Tells whether a verdict can rest on an output.
 *
 * @param output - A compared or skipped output.
 * @returns False when it was skipped, or when passing proves nothing.
 */
export function isJudged(output: OutputParity): boolean {
  return output.status !== 'skipped' && !hasNothingFinite(output) && !isUndiscriminated(output);
}

/** Equal NaN and infinities throughout: neither a tolerance nor a cosine was ever put to the test. */
function hasNothingFinite({ type, count, maxAbsError }: OutputParity): boolean {
  return type !== null && isRealType(type) && count > 0 && maxAbsError === null;
}

function describeFailure(outside: readonly OutputParity[], bounds: ParityBounds): string {
  const parts = outside.map(
    (output) => `\`${output.name}\`: ${output.reason}${describeNeed(output, bounds)}`,
  );
  return `outside ${nameBounds(bounds)}: ${parts.join('. ')}.`;
}

function describeNeed({ neededRtol, neededAtol, outsideCount }: OutputParity, bounds: ParityBounds): string {
  if (outsideCount === 0) return '';
  const ways = [
    ...(neededRtol === null ? [] : [`rtol ${formatTolerance(neededRtol)} with atol ${bounds.atol}`]),
    ...(neededAtol === null ? [] : [`atol ${formatTolerance(neededAtol)} with rtol ${bounds.rtol}`]),
  ];
  return ways.length === 0 ? '; no tolerance would do' : `; it would need ${ways.join(' or ')}`;
}

function describePass(judged: readonly OutputParity[], bounds: ParityBounds): string {
  const empty = judged.filter((output) => output.count === 0);
  const note = empty.map((output) => `; \`${output.name}\` has 0 elements on both sides`).join('');
  const outputs = judged.filter((output) => output.count > 0);
  const count = outputs.length === 1 ? '1 output' : `${outputs.length} outputs`;
  if (outputs.every((output) => output.status === 'equal')) return `${count} equal${note}.`;
  const maxAbs = Math.max(...outputs.map((output) => output.maxAbsError ?? 0));
  const needed = Math.max(...outputs.map((output) => output.neededRtol ?? 0));
  const need = needed === 0 ? 'atol alone suffices' : `would pass with rtol ${formatTolerance(needed)}`;
  const few = outputs.map((output) => describeFewAbove(output, outputs.length > 1)).join('');
  return `within ${nameBounds(bounds)}: max |Δ| ${formatError(maxAbs)}, ${need}${few}${note}.`;
}

/** Where nearly all elements are as small as atol, the verdict rests on the few others. */
function describeFewAbove(output: OutputParity, isOneOfMany: boolean): string {
  const { name, status, belowAtolShare, count, nanReference, infReference } = output;
  if (status !== 'within' || belowAtolShare === null) return '';
  const aboveCount = Math.round((1 - belowAtolShare) * (count - nanReference - infReference));
  if (aboveCount === 0 || aboveCount >= fewShare * count) return '';
  const where = isOneOfMany ? ` of \`${name}\`` : '';
  return `; ${aboveCount} of ${count} elements${where} above atol`;
}

function nameBounds({ rtol, atol, cosine, maxAbs }: ParityBounds): string {
  const more = [
    ...(cosine === undefined ? [] : [`cosine ${cosine}`]),
    ...(maxAbs === undefined ? [] : [`max |Δ| ${maxAbs}`]),
  ];
  return [`rtol ${rtol} atol ${atol}`, ...more].join(' ');
}
