import type { RealPairs } from './measure-reals.js';

/** The tolerance of one element: `|reference − candidate| ≤ atol + rtol·|reference|`. */
export type Tolerance = { readonly rtol: number; readonly atol: number };

/** How the elements stand to a tolerance. */
export type RealJudgement = {
  readonly outsideCount: number;
  readonly worstIndex: number | null;
  readonly neededRtol: number | null;
  readonly neededAtol: number | null;
};

/**
 * Holds every element against the tolerance, and finds which tolerance would have been needed.
 *
 * NaN matches only NaN and an infinity only itself; no tolerance bridges that.
 *
 * @param pairs - Both outputs.
 * @param tolerance - The rule.
 * @returns Count of elements outside, the worst one, and the smallest sufficient rtol and atol.
 */
export function judgeReals(pairs: RealPairs, tolerance: Tolerance): RealJudgement {
  const { outsideCount, worstIndex, isBridgeable } = countOutside(pairs, tolerance);
  return {
    outsideCount,
    worstIndex,
    neededRtol: isBridgeable ? findNeededRtol(pairs, tolerance) : null,
    neededAtol: isBridgeable ? findNeededAtol(pairs, tolerance) : null,
  };
}

function countOutside({ reference, candidate }: RealPairs, { rtol, atol }: Tolerance) {
  let outsideCount = 0;
  let worstIndex: number | null = null;
  let worstShare = 0;
  let isBridgeable = true;
  for (let at = 0; at < reference.length; at += 1) {
    const left = reference[at] ?? 0;
    const right = candidate[at] ?? 0;
    if (left === right || (Number.isNaN(left) && Number.isNaN(right))) continue;
    const isFinitePair = left - left === 0 && right - right === 0;
    const difference = Math.abs(left - right);
    const allowed = atol + rtol * Math.abs(left);
    if (!isFinitePair) isBridgeable = false;
    if (!(isFinitePair && difference <= allowed)) outsideCount += 1;
    const share = isFinitePair ? difference / allowed : Number.POSITIVE_INFINITY;
    if (worstIndex === null || share > worstShare) {
      worstIndex = at;
      worstShare = share;
    }
  }
  return { outsideCount, worstIndex, isBridgeable };
}

function findNeededRtol({ reference, candidate }: RealPairs, { rtol, atol }: Tolerance): number | null {
  let needed = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const size = Math.abs(reference[at] ?? 0);
    const difference = Math.abs((reference[at] ?? 0) - (candidate[at] ?? 0));
    if (!(difference > atol + needed * size)) continue;
    if (size === 0) return null;
    const sufficient = raiseUntil((difference - atol) / size, (raised) => difference <= atol + raised * size);
    needed = difference <= atol + rtol * size ? Math.min(sufficient, rtol) : sufficient;
    if (!Number.isFinite(needed)) return null;
  }
  return needed;
}

function findNeededAtol({ reference, candidate }: RealPairs, { rtol, atol }: Tolerance): number | null {
  let needed = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const share = rtol * Math.abs(reference[at] ?? 0);
    const difference = Math.abs((reference[at] ?? 0) - (candidate[at] ?? 0));
    if (!(difference > needed + share)) continue;
    const sufficient = raiseUntil(difference - share, (raised) => difference <= raised + share);
    needed = difference <= atol + share ? Math.min(sufficient, atol) : sufficient;
    if (!Number.isFinite(needed)) return null;
  }
  return needed;
}

/** Division and subtraction round: the quotient may fall short of what it was computed from by the last bits. */
function raiseUntil(value: number, isEnough: (raised: number) => boolean): number {
  let raised = value;
  for (let step = Number.EPSILON; !isEnough(raised) && step < 1; step *= 2) {
    raised = Math.max(raised * (1 + step), Number.MIN_VALUE);
  }
  return raised;
}
