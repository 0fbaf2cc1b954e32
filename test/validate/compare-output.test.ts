import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../src/lib/tensor.js';
import { compareOutput } from '../../src/validate/compare-output.js';

const bounds = { rtol: 1e-3, atol: 1e-4 };

function reals(data: readonly number[], dims: readonly number[] = [data.length]): Tensor {
  return { type: 'float32', dims, data: Float32Array.from(data) };
}

function compare(reference: readonly number[], candidate: readonly number[], more = {}) {
  return compareOutput('y', reals(reference), reals(candidate), { ...bounds, ...more });
}

const nan = Number.NaN;
const inf = Number.POSITIVE_INFINITY;

describe('compareOutput', () => {
  it.each([
    ['NaN and NaN', [nan], [nan], 'equal'],
    ['1 and NaN', [1], [nan], 'outside'],
    ['NaN and 1', [nan], [1], 'outside'],
    ['two infinities of one sign', [inf], [inf], 'equal'],
    ['two infinities of different sign', [inf], [-inf], 'outside'],
    ['an infinity and the largest half', [inf], [65_504], 'outside'],
    ['a large difference', [2], [2.5], 'outside'],
    ['zero and minus zero', [0], [-0], 'equal'],
    ['a difference below the tolerance', [2], [2.001], 'within'],
  ] as const)('takes %s for %s', (_title, reference, candidate, status) => {
    expect(compare(reference, candidate).status).toBe(status);
  });

  it('scales the tolerance with each element of the reference', () => {
    const output = compare([1000, 0.001], [1000.5, 0.0012]);
    expect(output).toMatchObject({ status: 'outside', outsideCount: 1, worstIndex: 1, maxAbsError: 0.5 });
  });

  it('takes two outputs of no elements for equal and says that there are none', () => {
    expect(compare([], [])).toMatchObject({
      status: 'equal',
      reason: '0 elements',
      count: 0,
      maxAbsError: null,
      maxRelError: null,
      cosine: null,
      worstIndex: null,
      neededRtol: 0,
      neededAtol: 0,
    });
  });

  it('refuses another shape, another type and a missing output without measuring', () => {
    const shape = compareOutput('y', reals([1, 2]), reals([1, 2], [2, 1]), bounds);
    expect(shape).toMatchObject({ status: 'outside', maxAbsError: null, outsideCount: 0 });
    expect(shape.reason).toBe('the candidate gives the shape [2, 1], the reference [2]');
    const half: Tensor = { type: 'float16', dims: [1], data: Uint16Array.of(0x3c00) };
    expect(compareOutput('y', reals([1]), half, bounds)).toMatchObject({
      status: 'outside',
      reason: 'the candidate gives float16, the reference float32',
    });
    expect(compareOutput('y', reals([1]), undefined, bounds)).toMatchObject({ status: 'outside' });
  });

  it('measures errors over pairs that are finite on both sides only', () => {
    const output = compare([nan, 1, inf, 4], [nan, 1, inf, 4.002]);
    expect(output).toMatchObject({ status: 'within', nanBoth: 1, infReference: 1, infCandidate: 1 });
    expect(output.maxAbsError).toBeCloseTo(0.002, 5);
    expect(output.maxRelError).toBeCloseTo(0.0005, 6);
    expect(compare([nan, nan], [1, nan])).toMatchObject({
      nanReference: 2,
      nanCandidate: 1,
      nanBoth: 1,
      maxAbsError: null,
      maxRelError: null,
      cosine: null,
      neededRtol: null,
      neededAtol: null,
    });
  });

  it('says which tolerance would have been needed, on pass and on fail', () => {
    const pass = compare([2], [2.001]);
    expect(pass.neededRtol).toBeGreaterThan(0);
    expect(pass.neededRtol).toBeLessThanOrEqual(bounds.rtol);
    const fail = compare([2], [2.5]);
    expect(fail.neededRtol).toBeCloseTo((0.5 - 1e-4) / 2, 12);
    expect(fail.neededAtol).toBeCloseTo(0.5 - 0.002, 12);
  });

  it('knows that no relative tolerance bridges a difference from zero', () => {
    expect(compare([0, 1], [0.5, 1])).toMatchObject({ neededRtol: null, neededAtol: 0.5, maxRelError: 0 });
  });

  it('applies every bound that is given', () => {
    expect(compare([1, 0], [1, 0.0001], { maxAbs: 1e-5 })).toMatchObject({
      status: 'outside',
      outsideCount: 0,
    });
    const turned = compare([1, 0], [0, 1], { atol: 10, cosine: 0.9 });
    expect(turned).toMatchObject({ status: 'outside', outsideCount: 0, cosine: 0 });
    expect(compare([1, 2], [1, 2], { cosine: 1, maxAbs: 0 }).status).toBe('equal');
  });

  it.each([
    ['two zero vectors', [0, 0], [0, 0], 1],
    ['one zero vector', [1, 1], [0, 0], 0],
    ['opposite vectors', [1, 2], [-1, -2], -1],
  ] as const)('takes the cosine of %s', (_title, reference, candidate, cosine) => {
    expect(compare(reference, candidate).cosine).toBeCloseTo(cosine, 12);
  });

  it('compares integers, bools and strings exactly, whatever the tolerance', () => {
    const loose = { rtol: 10, atol: 10, cosine: 1 };
    const long = (...data: bigint[]): Tensor => ({
      type: 'int64',
      dims: [data.length],
      data: BigInt64Array.from(data),
    });
    expect(compareOutput('y', long(1n, 2n ** 60n), long(1n, 2n ** 60n + 1n), loose)).toMatchObject({
      status: 'outside',
      outsideCount: 1,
      worstIndex: 1,
      maxAbsError: 1,
      cosine: null,
      neededRtol: null,
      neededAtol: null,
    });
    expect(compareOutput('y', long(3n), long(3n), loose)).toMatchObject({ status: 'equal', neededRtol: 0 });
    const bool = (value: number): Tensor => ({ type: 'bool', dims: [1], data: Uint8Array.of(value) });
    expect(compareOutput('y', bool(0), bool(1), loose).status).toBe('outside');
    const text = (...data: string[]): Tensor => ({ type: 'string', dims: [data.length], data });
    expect(compareOutput('y', text('a', 'b'), text('a', 'c'), loose)).toMatchObject({
      status: 'outside',
      worstIndex: 1,
      maxAbsError: null,
    });
    expect(compareOutput('y', text('a'), text('a'), loose).status).toBe('equal');
  });

  it('reads halves as the numbers they are', () => {
    const half = (...bits: number[]): Tensor => ({
      type: 'float16',
      dims: [bits.length],
      data: Uint16Array.from(bits),
    });
    expect(compareOutput('y', half(0x3c00, 0x7e00), half(0x3c01, 0x7e01), bounds)).toMatchObject({
      status: 'within',
      maxAbsError: 2 ** -10,
      nanBoth: 1,
    });
    const brain: Tensor = { type: 'bfloat16', dims: [1], data: Uint16Array.of(0x3f80) };
    const other: Tensor = { type: 'bfloat16', dims: [1], data: Uint16Array.of(0x4000) };
    expect(compareOutput('y', brain, other, bounds)).toMatchObject({ status: 'outside', maxAbsError: 1 });
  });

  it('keeps every figure fit for JSON, even where doubles overflow', () => {
    const huge = (value: number): Tensor => ({ type: 'float64', dims: [1], data: Float64Array.of(value) });
    const output = compareOutput('y', huge(-1.7e308), huge(1.7e308), bounds);
    const numbers = Object.values(output).filter((item) => typeof item === 'number');
    expect(numbers.every(Number.isFinite)).toBe(true);
    expect(output).toMatchObject({ status: 'outside', cosine: -1 });
  });
});
