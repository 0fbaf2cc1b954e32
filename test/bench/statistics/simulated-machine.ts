import type { RunValue } from '../../../src/bench/statistics/match-rounds.js';
import { openStream, type SeededStream } from '../../../src/inputs/seeded-stream.js';

/** What a machine does to the samples that are taken on it, one after the other. */
type Noise = {
  /** Factor of the next sample. */
  readonly next: () => number;
  /** A round has passed. */
  readonly endRound: () => void;
};

/** How the machine behaves, with `spread` the standard deviation of quiet samples as a share. */
export const machines: Readonly<Record<string, (spread: number, stream: SeededStream) => Noise>> = {
  'a quiet machine': (spread, stream) => ({ next: () => quiet(spread, stream), endRound: () => undefined }),
  'a machine where every eighth sample is late': (spread, stream) => ({
    next: () => late(spread, stream),
    endRound: () => undefined,
  }),
  'a machine that drifts and jumps': (spread, stream) => {
    let level = 1;
    const endRound = () => {
      level *= Math.exp(0.01 * stream.normal());
      if (stream.uniform() < 0.05) level *= 1 + 0.15 * (stream.uniform() - 0.3);
    };
    return { next: () => level * late(spread, stream), endRound };
  },
  'a machine that is busy now and then, for several samples': (spread, stream) => {
    let isBusy = false;
    const next = () => {
      isBusy = stream.uniform() < (isBusy ? 0.8 : 0.06);
      return quiet(spread, stream) * (isBusy ? 1.2 + 0.2 * stream.uniform() : 1);
    };
    return { next, endRound: () => undefined };
  },
};

/** Samples of two equal rows, interleaved; the first row leads in every other round. */
export function samplePair(noise: Noise, rounds: number): { readonly a: RunValue[]; readonly b: RunValue[] } {
  const pair = { a: [] as RunValue[], b: [] as RunValue[] };
  for (let run = 0; run < rounds; run += 1) {
    for (const row of run % 2 === 0 ? [pair.a, pair.b] : [pair.b, pair.a])
      row.push({ run, value: noise.next() });
    noise.endRound();
  }
  return pair;
}

/** The same samples, each `factor` times as long. */
export function slowDown(values: readonly RunValue[], factor: number): RunValue[] {
  return values.map(({ run, value }) => ({ run, value: value * factor }));
}

/** A stream of random numbers of its own for each name. */
export function openNoise(name: string): SeededStream {
  return openStream(20_261, name);
}

function quiet(spread: number, stream: SeededStream): number {
  return Math.exp(spread * stream.normal());
}

function late(spread: number, stream: SeededStream): number {
  const lateness = stream.uniform() < 0.12 ? -0.15 * Math.log(1 - stream.uniform()) : 0;
  return quiet(spread, stream) * (1 + lateness);
}
