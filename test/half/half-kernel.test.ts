import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeHalf, encodeHalf } from '../../src/half/encode-half.js';
import { openHalfKernel } from '../../src/half/half-kernel.js';
import type { HalfStats } from '../../src/half/half-stats.js';

const pieceElements = 1 << 16;
const kernel = openHalfKernel({ pieceElements, pairs: 2 });

function pairAt(index: number): { readonly floats: Uint8Array; readonly halves: Uint8Array } {
  const pair = kernel.pairs[index];
  if (pair === undefined) throw new Error(`no pair ${index}`);
  return pair;
}

/** Rounds the numbers with these bits in the kernel and in its twin, and expects the same of both. */
function expectTwins(words: Uint32Array): void {
  const { floats, halves } = pairAt(1);
  floats.fill(0xff);
  halves.fill(0xee);
  floats.set(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
  const stats = kernel.encode(1, words.length);
  const expected = new Uint16Array(words.length);
  const expectedStats = encodeHalf(new Float32Array(words.buffer, words.byteOffset, words.length), expected);
  const written = new Uint16Array(halves.slice(0, 2 * words.length).buffer);
  if (!isSame(new Uint8Array(written.buffer), expected)) {
    const wrong = expected.findIndex((half, index) => half !== written[index]);
    expect(`${words[wrong]?.toString(16)} → ${written[wrong]?.toString(16)}`).toBe(
      `${words[wrong]?.toString(16)} → ${expected[wrong]?.toString(16)}`,
    );
  }
  expect(halves.subarray(2 * words.length, 2 * words.length + 64).every((byte) => byte === 0xee)).toBe(true);
  expectStats(stats, expectedStats);
}

function isSame(bytes: Uint8Array, expected: Uint16Array | Float32Array): boolean {
  return Buffer.compare(bytes, new Uint8Array(expected.buffer)) === 0;
}

function expectStats(stats: HalfStats, expected: HalfStats): void {
  const { squaredError, squaredNorm, ...counts } = expected;
  expect(stats).toMatchObject(counts);
  expect(Math.abs(stats.squaredError - squaredError)).toBeLessThanOrEqual(1e-6 * squaredError);
  expect(Math.abs(stats.squaredNorm - squaredNorm)).toBeLessThanOrEqual(1e-6 * squaredNorm);
}

/** The FP32 bits of a number and of its neighbours on both sides, with either sign. */
function around(value: number): readonly number[] {
  const word = new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
  return [word - 1, word, word + 1].flatMap((near) => [near >>> 0, (near | 0x8000_0000) >>> 0]);
}

const edges = Uint32Array.from(
  [
    65504,
    65519,
    65520,
    65536,
    3.4e38,
    2049,
    2051,
    1 + 2 ** -11,
    1 + 3 * 2 ** -11,
    2 ** -14,
    2 ** -15,
    2 ** -24,
  ]
    .concat([3 * 2 ** -25, 2 ** -25, 2 ** -26, 2 ** -59, 2 ** -60, 2 ** -61, 2 ** -126, 2 ** -127, 2 ** -148])
    .flatMap(around)
    .concat([0, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0000])
    .concat([0x7f80_0001, 0x7fa0_0000, 0x7fff_ffff, 0xff80_2000, 0xffff_ffff, 1, 0x8000_0001]),
);

const anyWord = fc.oneof(
  fc.nat(0xffff_ffff),
  fc.constantFrom(...edges),
  fc.float({ noNaN: true }).map((value) => new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0),
);

describe('the FP16 kernel', () => {
  it('rounds every FP16 number to itself, NaN to quiet ones', () => {
    const all = Uint16Array.from({ length: 65_536 }, (_unused, half) => half);
    const words = new Uint32Array(65_536);
    decodeHalf(all, new Float32Array(words.buffer));
    expectTwins(words);
    const { halves } = pairAt(1);
    const expected = all.map((half) => ((half & 0x7fff) > 0x7c00 ? half | 0x200 : half));
    expect(isSame(halves, expected)).toBe(true);
  });

  it('expands every FP16 number exactly, NaN with what they carry', () => {
    const all = Uint16Array.from({ length: 65_536 }, (_unused, half) => half);
    const expected = new Float32Array(65_536);
    decodeHalf(all, expected);
    const { floats, halves } = pairAt(0);
    halves.set(new Uint8Array(all.buffer));
    kernel.decode(0, 65_536);
    expect(isSame(floats, expected)).toBe(true);
  });

  it('agrees with its twin at the edges, each alone and beside others', () => {
    expectTwins(edges);
    for (const edge of edges) {
      expectTwins(Uint32Array.of(edge));
      expectTwins(new Uint32Array(24).fill(edge));
    }
  });

  it('agrees with its twin on random bits, in 4 million of them', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        let state = seed | 1;
        const words = new Uint32Array(pieceElements).map(() => {
          state ^= state << 13;
          state ^= state >>> 17;
          state ^= state << 5;
          return state;
        });
        expectTwins(words);
        // The same with exponents near those of FP16, as weights have them.
        expectTwins(words.map((word) => (word & 0x8fff_ffff) | 0x3000_0000));
      }),
      { numRuns: 32 },
    );
  });

  it('agrees with its twin on any few numbers', () => {
    fc.assert(
      fc.property(fc.array(anyWord, { maxLength: 40 }), (words) => expectTwins(Uint32Array.from(words))),
      { numRuns: 2000 },
    );
  });

  it.each(Array.from({ length: 17 }, (_unused, rest) => rest))('takes a chunk and %i more', (rest) => {
    const word = (index: number): number => Math.imul(index + 1, 0x9e37_79b1) & 0x8fff_ffff;
    for (const chunk of [0, 512, 1024]) {
      const words = Uint32Array.from({ length: chunk + rest }, (_unused, index) => word(index) | 0x3000_0000);
      expectTwins(words);
      const halves = Uint16Array.from(words);
      const { floats } = pairAt(0);
      floats.fill(0xdd);
      pairAt(0).halves.set(new Uint8Array(halves.buffer));
      kernel.decode(0, halves.length);
      const expected = new Float32Array(halves.length);
      decodeHalf(halves, expected);
      expect(isSame(floats.subarray(0, 4 * halves.length), expected)).toBe(true);
      expect(floats.subarray(4 * halves.length, 4 * halves.length + 64).every((byte) => byte === 0xdd)).toBe(
        true,
      );
    }
  });

  it('counts on where a chunk holds numbers beyond FP16, at any place', () => {
    fc.assert(
      fc.property(
        fc.nat(1600),
        fc.constantFrom(0x4780_0000, 0x7f80_0000, 0xffc0_1234, 0x477f_f000),
        (at, word) => {
          expectTwins(new Uint32Array(1601).fill(0x3dcc_cccd).fill(word, at, at + 1));
        },
      ),
    );
  });

  it('takes numbers from any byte on, and puts them at any', () => {
    const { floats, halves } = pairAt(0);
    const source = Float32Array.from({ length: 1037 }, (_unused, index) => index / 7 - 60);
    const expected = new Uint16Array(1037);
    const expectedStats = encodeHalf(source, expected);
    for (const [floatsAt, halvesAt] of [
      [1, 3],
      [4098, 0],
      [0, 777],
    ] as const) {
      halves.fill(0xee);
      floats.set(new Uint8Array(source.buffer), floatsAt);
      expectStats(kernel.encode(0, 1037, { floatsAt, halvesAt }), expectedStats);
      expect(isSame(halves.subarray(halvesAt, halvesAt + 2074), expected)).toBe(true);
      const outside = [...halves.subarray(0, halvesAt), ...halves.subarray(halvesAt + 2074, halvesAt + 2100)];
      expect(outside.every((byte) => byte === 0xee)).toBe(true);
      floats.fill(0);
      kernel.decode(0, 1037, { floatsAt, halvesAt });
      const back = new Float32Array(1037);
      decodeHalf(expected, back);
      expect(isSame(floats.subarray(floatsAt, floatsAt + 4148), back)).toBe(true);
    }
  });

  it('refuses what does not fit into a pair', () => {
    expect(() => kernel.encode(2, 1)).toThrow(RangeError);
    expect(() => kernel.encode(0, pieceElements + 1)).toThrow(RangeError);
    expect(() => kernel.decode(-1, 1)).toThrow(RangeError);
    expect(() => kernel.encode(0, pieceElements, { floatsAt: 1, halvesAt: 0 })).toThrow(RangeError);
    expect(() => kernel.encode(0, pieceElements, { floatsAt: 0, halvesAt: 1 })).toThrow(RangeError);
    expect(() => kernel.encode(0, 1, { floatsAt: -4, halvesAt: 0 })).toThrow(RangeError);
  });

  it('holds sizes that are no multiple of anything', () => {
    const odd = openHalfKernel({ pieceElements: 13, pairs: 3 });
    odd.pairs.forEach(({ floats }, index) => {
      floats.set(new Uint8Array(new Float32Array(13).fill(index + 1).buffer));
    });
    odd.pairs.forEach((_pair, index) => {
      expect(odd.encode(index, 13)).toMatchObject({ exactCount: 13, largest: index + 1 });
    });
    expect(odd.pairs.map(({ halves }) => [halves.length, halves[24], halves[25]])).toEqual([
      [26, 0, 0x3c],
      [26, 0, 0x40],
      [26, 0, 0x42],
    ]);
  });
});
