import { fewestSamples } from '../../../lib/sample-counts.js';
import type { BenchReportSample } from '../../documents/bench-result.js';
import { meanPhases, savingPercent } from './mean-phases.js';

/** What one way saves of the total of another, percent; negative when it takes longer. */
export type Saving = {
  /** Of the means over these rounds; it lies between the other two. */
  readonly percent: number;
  /** Of single rounds, the lowest and the highest. */
  readonly low: number;
  readonly high: number;
  /** Rounds in which both got through, ≥ 1. */
  readonly rounds: number;
};

type Sample = Pick<BenchReportSample, 'run' | 'phases'>;

/**
 * Works out what a row saves against another in the rounds that have both, whose runs stood next to each other. A round
 * that one of them did not get through, or began in another cache state, says nothing of a difference.
 *
 * @param own - Samples of the row.
 * @param others - Samples of the row that it is set against.
 * @returns The saving; null where no round has both.
 */
export function savingOf(own: readonly Sample[], others: readonly Sample[]): Saving | null {
  const rounds = own.flatMap((sample) => {
    const ms = meanPhases([sample])?.totalMs;
    const againstMs = meanPhases(others.filter(({ run }) => run === sample.run))?.totalMs;
    return ms === undefined || againstMs === undefined ? [] : [{ ms, againstMs }];
  });
  if (rounds.length === 0) return null;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const savings = rounds.map(({ ms, againstMs }) => savingPercent(ms, againstMs));
  return {
    percent: savingPercent(sum(rounds.map(({ ms }) => ms)), sum(rounds.map(({ againstMs }) => againstMs))),
    low: Math.min(...savings),
    high: Math.max(...savings),
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
