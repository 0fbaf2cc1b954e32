import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeReals } from '../../src/validate/judge-reals.js';
import { countSpecials, findLargestErrors, measureCosine } from '../../src/validate/measure-reals.js';

const anyFloat = fc.float({ noDefaultInfinity: false, noNaN: false });
const finiteFloat = fc.float({ noDefaultInfinity: true, noNaN: true });
const bound = fc.double({ min: 0, max: 10, noNaN: true });

function pairsOf(element: fc.Arbitrary<number>) {
  return fc.array(fc.tuple(element, element), { maxLength: 50 }).map((pairs) => ({
    reference: Float32Array.from(pairs.map(([left]) => left)),
    candidate: Float32Array.from(pairs.map(([, right]) => right)),
  }));
}

/** The rule, written once more as plainly as it can be. */
function isOutside(left: number, right: number, rtol: number, atol: number): boolean {
  if (Number.isNaN(left) || Number.isNaN(right)) return !(Number.isNaN(left) && Number.isNaN(right));
  if (!Number.isFinite(left) || !Number.isFinite(right)) return left !== right;
  return Math.abs(left - right) > atol + rtol * Math.abs(left);
}

describe('judgeReals', () => {
  it('counts what the plain rule calls outside', () => {
    fc.assert(
      fc.property(pairsOf(anyFloat), bound, bound, (pairs, rtol, atol) => {
        const plain = [...pairs.reference].filter((left, at) =>
          isOutside(left, pairs.candidate[at] ?? 0, rtol, atol),
        );
        expect(judgeReals(pairs, { rtol, atol }).outsideCount).toBe(plain.length);
      }),
    );
  });

  it('names a tolerance that is enough, and no larger than the given one when all pass', () => {
    fc.assert(
      fc.property(pairsOf(finiteFloat), bound, bound, (pairs, rtol, atol) => {
        const { outsideCount, neededRtol, neededAtol } = judgeReals(pairs, { rtol, atol });
        if (neededRtol !== null) expect(judgeReals(pairs, { rtol: neededRtol, atol }).outsideCount).toBe(0);
        if (neededAtol !== null) expect(judgeReals(pairs, { rtol, atol: neededAtol }).outsideCount).toBe(0);
        if (outsideCount > 0) return;
        expect(neededRtol).toBeLessThanOrEqual(rtol);
        expect(neededAtol).toBeLessThanOrEqual(atol);
      }),
    );
  });

  it('never asks for more than the given tolerance where an element passes by exactly that', () => {
    // 0.1 + 0.3 is exactly the double 1 − 0.6, but (0.4 − 0.1) / 1 is a little more than 0.3.
    const pairs = { reference: Float64Array.of(1), candidate: Float64Array.of(0.6) };
    expect(judgeReals(pairs, { rtol: 0.3, atol: 0.1 })).toMatchObject({ outsideCount: 0, neededRtol: 0.3 });
  });

  it('names a tolerance that is no larger than needed', () => {
    fc.assert(
      fc.property(pairsOf(finiteFloat), bound, bound, (pairs, rtol, atol) => {
        const { neededRtol, neededAtol } = judgeReals(pairs, { rtol, atol });
        const less = 1 - 1e-6;
        if (neededRtol !== null && neededRtol > 1e-3)
          expect(
            judgeReals(pairs, { rtol: neededRtol * less, atol: atol * less }).outsideCount,
          ).toBeGreaterThan(0);
        if (neededAtol !== null && neededAtol > 1e-3)
          expect(
            judgeReals(pairs, { rtol: rtol * less, atol: neededAtol * less }).outsideCount,
          ).toBeGreaterThan(0);
      }),
    );
  });

  it('finds a worst element exactly when something differs, and it is outside when any is', () => {
    fc.assert(
      fc.property(pairsOf(anyFloat), bound, bound, (pairs, rtol, atol) => {
        const { outsideCount, worstIndex } = judgeReals(pairs, { rtol, atol });
        const isSame = [...pairs.reference].every(
          (left, at) => !isOutside(left, pairs.candidate[at] ?? 0, 0, 0),
        );
        expect(worstIndex === null).toBe(isSame);
        if (worstIndex === null || outsideCount === 0) return;
        const [left = 0, right = 0] = [pairs.reference[worstIndex], pairs.candidate[worstIndex]];
        expect(isOutside(left, right, rtol, atol)).toBe(true);
      }),
    );
  });
});

describe('the measured figures', () => {
  it('never are NaN or infinite', () => {
    const anyDouble = fc.double({ noNaN: false });
    const doubles = fc.array(fc.tuple(anyDouble, anyDouble), { maxLength: 20 }).map((pairs) => ({
      reference: Float64Array.from(pairs.map(([left]) => left)),
      candidate: Float64Array.from(pairs.map(([, right]) => right)),
    }));
    fc.assert(
      fc.property(fc.oneof(pairsOf(anyFloat), doubles), (pairs) => {
        const { maxAbsError, maxRelError } = findLargestErrors(pairs);
        for (const figure of [maxAbsError, maxRelError, measureCosine(pairs)]) {
          if (figure !== null) expect(Number.isFinite(figure)).toBe(true);
        }
      }),
    );
  });

  it('count NaN and infinities of either side', () => {
    fc.assert(
      fc.property(pairsOf(anyFloat), ({ reference, candidate }) => {
        const counts = countSpecials({ reference, candidate });
        expect(counts.nanReference).toBe([...reference].filter(Number.isNaN).length);
        expect(counts.nanCandidate).toBe([...candidate].filter(Number.isNaN).length);
        expect(counts.infReference).toBe(
          [...reference].filter((value) => Math.abs(value) === Infinity).length,
        );
        expect(counts.infCandidate).toBe(
          [...candidate].filter((value) => Math.abs(value) === Infinity).length,
        );
      }),
    );
  });

  it('give the cosine 1, exactly, for equal outputs', () => {
    fc.assert(
      fc.property(fc.array(finiteFloat, { minLength: 1 }), (values) => {
        const reference = Float32Array.from(values);
        expect(measureCosine({ reference, candidate: reference.slice() })).toBe(1);
      }),
    );
  });

  it('give the cosine 1 for a vector and any positive multiple of it', () => {
    const vector = fc.array(fc.double({ min: -1e150, max: 1e150, noNaN: true }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(vector, fc.double({ min: 1e-3, max: 1e150, noNaN: true }), (values, factor) => {
        const reference = Float64Array.from(values, (value) => (Math.abs(value) < 1e-100 ? 0 : value));
        const cosine = measureCosine({ reference, candidate: reference.map((value) => value * factor) });
        expect(cosine).toBeCloseTo(1, 9);
      }),
    );
  });
});
