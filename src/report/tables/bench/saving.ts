import { fewestSamples } from '../../../lib/sample-counts.js';
import type { BenchReportSample } from '../../documents/bench-result.js';
import { meanPhases, savingPercent } from './mean-phases.js';

/** What one way saves of the total of another, percent; negative when it takes longer. */
export type Saving = {
  /** Of the means. */
  readonly percent: number;
  /** Of single rounds, the lowest and the highest. */
  readonly low: number;
  readonly high: number;
  /** Rounds in which both got through, ≥ 1. */
  readonly rounds: number;
};

type Sample = Pick<BenchReportSample, 'run' | 'phases'>;

/**
 * Works out what a row saves against another: by means, and by itself in each round, whose runs stood next to each other.
 *
 * @param own - Samples of the row.
 * @param others - Samples of the row that it is set against.
 * @returns The saving; null where no round has both.
 */
export function savingOf(own: readonly Sample[], others: readonly Sample[]): Saving | null {
  const [mean, against] = [meanPhases(own), meanPhases(others)];
  const rounds = own.flatMap((sample) => {
    const totalMs = meanPhases([sample])?.totalMs;
    const hubMs = meanPhases(others.filter(({ run }) => run === sample.run))?.totalMs;
    return totalMs === undefined || hubMs === undefined ? [] : [savingPercent(totalMs, hubMs)];
  });
  if (mean === null || against === null || rounds.length === 0) return null;
  return {
    percent: savingPercent(mean.totalMs, against.totalMs),
    low: Math.min(...rounds),
    high: Math.max(...rounds),
    rounds: rounds.length,
  };
}

/**
 * Tells whether a saving can be told from chance: six rounds that all say the same happen by chance in 1 of 32 cases.
 *
 * @param saving - The saving.
 * @returns Whether there are enough rounds, and all of them save or all of them cost.
 */
export function isSureSaving({ low, high, rounds }: Saving): boolean {
  return rounds >= fewestSamples && (low > 0 || high < 0);
}
