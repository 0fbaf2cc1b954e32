import { compareContenders } from './compare-candidates.js';
import type { TellsApart } from './pick-rules.js';
import type { Contender, Figures } from './value-contenders.js';

/**
 * What is not told apart is taken for equal while the higher is above the lower by at most this share of it. Few or
 * scattered samples tell nothing apart: without it, a candidate that is much slower would ship for being a little smaller.
 */
const tieShare = 0.1;

/**
 * How two contenders stand to each other: told `apart`; `tied`, so that something else than the value may decide; or not
 * told apart with values too far from each other to be taken for equal, because samples do not establish the difference
 * (`unsettled`) or because it rests on times that no sample here holds (`unseen`).
 */
type Closeness = 'apart' | 'tied' | 'unsettled' | 'unseen';

/** Says how two contenders of one choice stand to each other, whichever is named first. */
export type Closely = (one: Contender, other: Contender) => Closeness;

/** Whether the figures of a lower and a higher contender are told apart. */
type Tell = (lower: Figures, higher: Figures) => boolean;

/**
 * Prepares the judgement of noise for one choice. Measured confidence decides; where it says nothing, samples whose ranges
 * overlap are not told apart. What has no samples and no range, as a size, is exact. Of what was not told apart, values
 * at most 10 % from each other are tied.
 *
 * @param contenders - All that may win.
 * @param tellsApart - Whether measuring tells two of them apart.
 * @returns The judgement.
 */
export function judgeCloseness(contenders: readonly Contender[], tellsApart: TellsApart): Closely {
  const pairs = Math.max(1, (contenders.length * (contenders.length - 1)) / 2);
  const tell: Tell = (lower, higher) => {
    const isSampled = lower.samples.length > 0 && higher.samples.length > 0;
    const verdict = isSampled ? tellsApart(higher.samples, lower.samples, pairs) : 'unknown';
    return verdict === 'unknown' ? !isOverlapping(lower.range, higher.range) : verdict === 'different';
  };
  return (one, other) => {
    const [lower, higher] = compareContenders(one, other) <= 0 ? [one, other] : [other, one];
    const standing = judgeDifference(lower, higher, tell);
    if (standing === 'apart') return 'apart';
    return higher.value <= lower.value * (1 + tieShare) ? 'tied' : standing;
  };
}

/**
 * A time that is the same for both is no difference, however it spreads. Where it is another one, what was measured has to
 * tell the two apart by itself; where that time speaks for the higher, its spread may not undo it either.
 */
function judgeDifference(lower: Contender, higher: Contender, tell: Tell): Exclude<Closeness, 'tied'> {
  const [before, after] = [lower.unseenMs, higher.unseenMs];
  if (before === null || after === null) return tell(lower, higher) ? 'apart' : 'unsettled';
  const [fast, slow] = [lower.measured, higher.measured];
  if (before.every((ms, index) => ms === after[index])) {
    const isTold = tell({ ...fast, samples: lower.samples }, { ...slow, samples: higher.samples });
    return isTold ? 'apart' : 'unsettled';
  }
  const isAhead = fast.value < slow.value && tell(fast, slow);
  const isAlong = before.every((ms, index) => ms <= (after[index] ?? 0));
  return isAhead && (isAlong || !isOverlapping(lower.range, higher.range)) ? 'apart' : 'unseen';
}

function isOverlapping(one: Figures['range'], other: Figures['range']): boolean {
  return one !== null && other !== null && one.min <= other.max && other.min <= one.max;
}
