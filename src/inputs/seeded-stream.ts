import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

const warmUpRounds = 64;

/** Numbers that depend on seed and name alone, bit for bit the same on every platform. */
export type SeededStream = {
  /** In [0, 1). */
  readonly uniform: () => number;
  /** Integers from `min` to `max`, both included. */
  readonly integer: (min: number, max: number) => number;
  /** Mean 0, deviation 1. */
  readonly normal: () => number;
};

/**
 * Opens the stream of one input; other names give independent streams for the same seed.
 *
 * @param seed - Any integer; its low 32 bits count.
 * @param name - The input's name.
 * @returns The stream, at its start.
 */
export function openStream(seed: number, name: string): SeededStream {
  const generator = xoroshiro128plus(mixSeed(seed, name));
  // Its state starts as little more than the seed; the first numbers of near seeds would be near too.
  for (let round = 0; round < warmUpRounds; round += 1) generator.next();
  const uniform = () => uniformFloat64(generator);
  return {
    uniform,
    integer: (min, max) => uniformInt(generator, min, max),
    normal: makeNormal(uniform),
  };
}

/** FNV-1a over the UTF-8 bytes of the name, started from the seed. */
function mixSeed(seed: number, name: string): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed | 0, 0x9e3779b1);
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash | 0;
}

/** Marsaglia's polar method; it makes two at a time. */
function makeNormal(uniform: () => number): () => number {
  let spare: number | undefined;
  return () => {
    if (spare !== undefined) {
      const kept = spare;
      spare = undefined;
      return kept;
    }
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const square = x * x + y * y;
      if (square > 0 && square < 1) {
        const scale = Math.sqrt((-2 * naturalLog(square)) / square);
        spare = y * scale;
        return x * scale;
      }
    }
  };
}

const wide = new DataView(new ArrayBuffer(8));

/**
 * The natural logarithm of a normal number in (0, 1), from basic arithmetic alone: `Math.log` may differ in its last
 * bit between engines, and then the same seed would not give the same bytes.
 */
function naturalLog(value: number): number {
  wide.setFloat64(0, value);
  const high = wide.getUint32(0);
  const exponent = (high >>> 20) - 1023;
  wide.setUint32(0, (high & 0x000fffff) | 0x3ff00000);
  const mantissa = wide.getFloat64(0);
  // log(m) = 2·artanh((m−1)/(m+1)); the ratio is at most 1/3, so 17 terms reach the precision of a double.
  const ratio = (mantissa - 1) / (mantissa + 1);
  const square = ratio * ratio;
  let sum = 0;
  for (let power = 33; power >= 1; power -= 2) sum = sum * square + 1 / power;
  return exponent * Math.LN2 + 2 * ratio * sum;
}
