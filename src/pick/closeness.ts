import { compareContenders } from './compare-candidates.js';
import type { TellsApart } from './pick-rules.js';
import type { Contender } from './value-contenders.js';

/** Without a verdict, medians further apart than this share of the lower are never taken for equal. */
const noiseShare = 0.02;

/**
 * How two contenders stand to each other: told `apart`; `tied`, so that something else than the value may decide; or
 * `overlapping`, which is within the noise as far as samples show, with medians too far apart to be taken for equal.
 */
type Closeness = 'apart' | 'overlapping' | 'tied';

/** Says how two contenders of one choice stand to each other, whichever is named first. */
export type Closely = (one: Contender, other: Contender) => Closeness;

/**
 * Prepares the judgement of noise for one choice. Measured confidence decides; where it says nothing, samples whose
 * ranges overlap are within the noise, and tied with medians at most 2 % apart. What has no samples and no range, as a
 * size, is exact.
 *
 * @param contenders - All that may win.
 * @param tellsApart - Whether measuring tells two of them apart.
 * @returns The judgement.
 */
export function judgeCloseness(contenders: readonly Contender[], tellsApart: TellsApart): Closely {
  const pairs = Math.max(1, (contenders.length * (contenders.length - 1)) / 2);
  return (one, other) => {
    const [lower, higher] = compareContenders(one, other) <= 0 ? [one, other] : [other, one];
    const isSampled = lower.samples.length > 0 && higher.samples.length > 0;
    const verdict = isSampled ? tellsApart(higher.samples, lower.samples, pairs) : 'unknown';
    if (verdict !== 'unknown') return verdict === 'same' ? 'tied' : 'apart';
    if (!isOverlapping(lower, higher)) return 'apart';
    return higher.value <= lower.value * (1 + noiseShare) ? 'tied' : 'overlapping';
  };
}

function isOverlapping({ range: one }: Contender, { range: other }: Contender): boolean {
  return one !== null && other !== null && one.min <= other.max && other.min <= one.max;
}
