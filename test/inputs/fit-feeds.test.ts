import { describe, expect, it } from 'vitest';
import { fitFeeds } from '../../src/inputs/fit-feeds.js';
import type { ElementType, NamedTensors, Tensor, ValueSpec } from '../../src/lib/tensor.js';

const spec = (name: string, type: ElementType): ValueSpec => ({ name, isTensor: true, type, dims: ['n'] });
const reals = (...data: number[]): Tensor => ({
  type: 'float32',
  dims: [data.length],
  data: Float32Array.from(data),
});

describe('fitFeeds', () => {
  it('rounds to nearest even what the model takes as FP16, and leaves the given feeds alone', () => {
    const feeds: NamedTensors = { x: reals(1, 1 + 2 ** -11, 1 + 3 * 2 ** -11, -0, 1e-9) };
    const { feeds: fitted, rounded } = fitFeeds(feeds, [spec('x', 'float16')]);
    const data = Uint16Array.of(0x3c00, 0x3c00, 0x3c02, 0x8000, 0);
    expect(fitted).toEqual({ x: { type: 'float16', dims: [5], data } });
    expect(rounded).toEqual([{ name: 'x', overflowCount: 0 }]);
    expect(feeds.x?.type).toBe('float32');
  });

  it('counts the numbers that became infinite, without those that were', () => {
    const { rounded } = fitFeeds({ x: reals(7e4, -7e4, Infinity, NaN) }, [spec('x', 'float16')]);
    expect(rounded).toEqual([{ name: 'x', overflowCount: 2 }]);
  });

  it('passes on as they are feeds of the right type, of any other wrong type, and of no input', () => {
    const feeds: NamedTensors = {
      same: reals(1),
      half: { type: 'float16', dims: [1], data: Uint16Array.of(0x3c00) },
      double: { type: 'float64', dims: [1], data: Float64Array.of(1) },
      wider: reals(1),
      brain: reals(1),
      unknown: reals(1),
    };
    const inputs = [
      spec('same', 'float32'),
      spec('half', 'float16'),
      spec('double', 'float16'),
      spec('wider', 'float64'),
      spec('brain', 'bfloat16'),
    ];
    const { feeds: fitted, rounded } = fitFeeds(feeds, inputs);
    expect(rounded).toEqual([]);
    expect(Object.keys(fitted)).toEqual(Object.keys(feeds));
    for (const [name, feed] of Object.entries(feeds)) expect(fitted[name]).toBe(feed);
  });
});
