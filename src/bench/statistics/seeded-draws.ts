import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

const warmUpRounds = 64;

/**
 * Opens a stream of whole numbers that is the same every time, so that what is drawn is a function of the data alone.
 *
 * @returns A function that gives the next number from 0 to below its bound, ≥ 1 and far below 2³².
 */
export function openDraws(): (below: number) => number {
  const generator = xoroshiro128plus(1);
  // Its state starts as little more than the seed.
  for (let round = 0; round < warmUpRounds; round += 1) generator.next();
  return (below) => Math.floor(((generator.next() >>> 0) / 2 ** 32) * below);
}
