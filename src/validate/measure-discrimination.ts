import { measurePair } from './measure-pair.js';
import type { RealArray } from './measure-reals.js';
import type { OutputParity, ParityBounds } from './parity-result.js';

/** What the bounds can tell about one output, whatever the candidate gave. */
export type Discrimination = Pick<
  OutputParity,
  'maxAbsReference' | 'belowAtolShare' | 'isConstant' | 'passedBy'
>;

/**
 * Asks whether the bounds can tell the reference from a candidate that knows nothing: zeros, or any one number
 * throughout. An output whose elements are all below `atol` is passed by a destroyed model as well.
 *
 * Infinities and NaN are left in their places, since they are matched exactly. A reference that is itself one number
 * is held against zeros only, and zeros against nothing: there the knowing answer is a constant too.
 *
 * @param reference - The output of the reference.
 * @param bounds - The bounds of the comparison, all of which the stand-in has to pass.
 * @returns The reference's scale, and what would pass in the candidate's place; nothing measured without finite numbers.
 */
export function measureDiscrimination(reference: RealArray, bounds: ParityBounds): Discrimination {
  const range = measureRange(reference, bounds);
  if (range.count === 0)
    return { maxAbsReference: null, belowAtolShare: null, isConstant: false, passedBy: null };
  const isConstant = range.min === range.max;
  const maxAbsReference = Math.max(Math.abs(range.min), Math.abs(range.max));
  const passes = (value: number) =>
    measurePair({ reference, candidate: replaceFinite(reference, value) }, bounds).broken.length === 0;
  const findPasser = (): Discrimination['passedBy'] => {
    if (maxAbsReference === 0) return null;
    if (range.low <= 0 && range.high >= 0 && passes(0)) return 'zeros';
    // Where no number is near enough to every element there is no need to try one.
    if (isConstant || range.low > range.high) return null;
    return passes(chooseConstant(range)) ? 'constant' : null;
  };
  const belowAtolShare = range.belowAtolCount / range.count;
  return { maxAbsReference, belowAtolShare, isConstant, passedBy: findPasser() };
}

type Range = {
  readonly count: number;
  readonly belowAtolCount: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Numbers from `low` to `high` are within the bounds of every element. */
  readonly low: number;
  readonly high: number;
};

function measureRange(reference: RealArray, { rtol, atol, maxAbs = Number.MAX_VALUE }: ParityBounds): Range {
  const range = { count: 0, belowAtolCount: 0, min: Infinity, max: -Infinity, mean: 0 };
  const shared = { low: -Infinity, high: Infinity };
  for (const value of reference) {
    if (value - value !== 0) continue;
    range.count += 1;
    const size = Math.abs(value);
    if (size <= atol) range.belowAtolCount += 1;
    range.min = Math.min(range.min, value);
    range.max = Math.max(range.max, value);
    range.mean += value / range.count - range.mean / range.count;
    const allowed = Math.min(atol + rtol * size, maxAbs);
    shared.low = Math.max(shared.low, value - allowed);
    shared.high = Math.min(shared.high, value + allowed);
  }
  return { ...range, ...shared };
}

function chooseConstant({ mean, low, high }: Range): number {
  return mean >= low && mean <= high ? mean : low / 2 + high / 2;
}

function replaceFinite(reference: RealArray, value: number): Float64Array {
  return Float64Array.from(reference, (each) => (each - each === 0 ? value : each));
}
