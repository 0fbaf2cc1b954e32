import type { BenchRow, BenchSample } from './bench/bench-result.js';
import type { ImportedFigures } from './imported-figures.js';
import { sumPhases } from './lib/phases.js';
import type { StartMode } from './lib/start-mode.js';
import { listProcesses, makeMeasure, type TimedProcess } from './measure-starts.js';
import type { Evidence, PickMeasure } from './pick/pick-candidate.js';
import { type CallPrices, type CallTimes, citePrices, explainNoPrice, priceCalls } from './price-calls.js';

/** What 100,000 calls of a candidate cost, or why that is not known. */
export type PricedCalls = { readonly cost: PickMeasure | null; readonly reason: string | null };

/**
 * Prices the calls of a candidate by processes that were measured here: each by itself, so that costs spread as they do.
 * Of a cold start everything after the environment is billed, init included; of a restore the first inference.
 *
 * @param prices - What calls are priced by.
 * @param startMode - How processes are started.
 * @param row - The row.
 * @param samples - All samples of the benchmark.
 * @returns USD per 100,000 calls, or why there is no figure.
 */
export function priceProcesses(
  prices: CallPrices,
  startMode: StartMode,
  row: BenchRow,
  samples: readonly BenchSample[],
): PricedCalls {
  const reason = explainNoPrice(prices, startMode);
  if (reason !== null) return { cost: null, reason };
  const values = listProcesses(row, samples).flatMap((process) => {
    const times = timeCalls(process, startMode);
    const value = times === null ? null : priceCalls(prices, startMode, times);
    return value === null ? [] : [{ round: process.round, value }];
  });
  const duration: Evidence = { kind: 'measured', what: 'billed durations', source: null };
  const cost = makeMeasure(values, [duration, ...citePrices(prices, startMode)]);
  return { cost, reason: cost === null ? 'no inference after the first was measured (`bench.warm`)' : null };
}

/**
 * Prices the calls of a candidate by real runs.
 *
 * @param prices - What calls are priced by.
 * @param startMode - How processes are started.
 * @param real - What real runs say of the candidate.
 * @returns USD per 100,000 calls, or why there is no figure.
 */
export function priceImported(
  prices: CallPrices,
  startMode: StartMode,
  { times, measures }: ImportedFigures,
): PricedCalls {
  const reason = explainNoPrice(prices, startMode);
  const value = times === null ? null : priceCalls(prices, startMode, times);
  if (reason !== null || value === null) {
    return { cost: null, reason: reason ?? 'real runs say nothing of further inferences' };
  }
  const evidence = [...(measures.steady?.evidence ?? []), ...citePrices(prices, startMode)];
  const unspread = { p95: null, min: null, max: null, count: 0, unseenMs: null, isSummed: false };
  return { cost: { value, ...unspread, samples: [], evidence }, reason: null };
}

function timeCalls({ phases, steadyMs }: TimedProcess, startMode: StartMode): CallTimes | null {
  if (steadyMs.length === 0) return null;
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const coldMs = startMode === 'snapstart' ? phases.firstInferenceMs : sumPhases(phases, false).totalMs;
  return {
    callMs: meanOf(steadyMs.map(Math.ceil)),
    meanMs: meanOf(steadyMs),
    coldCallMs: Math.ceil(coldMs),
  };
}
