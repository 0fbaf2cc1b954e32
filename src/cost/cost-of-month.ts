import type { StartMode } from '../lib/start-mode.js';
import { countBilledGb } from './lambda-memory.js';
import type { LambdaPrices } from './price-tables.js';

/** Of 30 days, as the study of cold starts counts. */
const secondsPerMonth = 2_592_000;

/** The use of one function in a month. */
export type MonthlyUse = {
  /** Calls, ≥ 1, those that start a process or restore one included. */
  readonly callsPerMonth: number;
  /** Of which so many start a process, or restore one; 0 to `callsPerMonth`. */
  readonly coldStartsPerMonth: number;
  /** Billed of a call that meets a ready process, ms. */
  readonly callMs: number;
  /** Billed of a call that starts a process or restores one, ms, what runs before the handler included. */
  readonly coldCallMs: number;
  /** Processes that provisioned concurrency keeps ready, ≥ 1; without meaning for other start modes. */
  readonly readyProcesses: number;
};

/** A part of what a month costs; null where the table lacks its price. */
type Part = number | null;

/**
 * Computes what a function costs in a month of 30 days, in the first tier and without the free one.
 *
 * On demand: requests and durations. SnapStart: the snapshot of one published version, as large as the memory, for the
 * whole month, and a restore per cold start besides. Provisioned concurrency: the processes that are kept ready for the
 * whole month, with a price of its own for durations; every call meets one of them.
 *
 * @param prices - Of a region and architecture.
 * @param memoryMiB - Memory of the function, MiB.
 * @param startMode - How processes are started.
 * @param use - Calls and their durations.
 * @returns USD, not rounded; null where the table lacks a price.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/snapstart.html (pricing of snapshots and restores)
 */
export function costOfMonth(
  prices: LambdaPrices,
  memoryMiB: number,
  startMode: StartMode,
  use: MonthlyUse,
): number | null {
  const gigabytes = countBilledGb(memoryMiB);
  const requests = times(prices.perMillionRequests, use.callsPerMonth / 1e6);
  return sum([requests, ...listParts(prices, gigabytes, startMode, use)]);
}

function listParts(
  prices: LambdaPrices,
  gigabytes: number,
  startMode: StartMode,
  use: MonthlyUse,
): readonly Part[] {
  const { callsPerMonth, coldStartsPerMonth, callMs, coldCallMs, readyProcesses } = use;
  const warmMs = (callsPerMonth - coldStartsPerMonth) * callMs;
  const gbSeconds = (gigabytes * (warmMs + coldStartsPerMonth * coldCallMs)) / 1000;
  const gbSecondsOfMonth = gigabytes * secondsPerMonth;
  if (startMode === 'provisioned') {
    return [
      times(prices.provisionedPerGbSecond, readyProcesses * gbSecondsOfMonth),
      times(prices.provisionedDurationPerGbSecond, (gigabytes * callsPerMonth * callMs) / 1000),
    ];
  }
  const durations = times(prices.perGbSecond, gbSeconds);
  if (startMode === 'on-demand') return [durations];
  return [
    durations,
    times(prices.snapshotPerGbSecond, gbSecondsOfMonth),
    times(prices.restorePerGb, gigabytes * coldStartsPerMonth),
  ];
}

function times(price: LambdaPrices['perGbSecond'], count: number): Part {
  return price === null ? null : price.usd * count;
}

function sum(parts: readonly Part[]): number | null {
  return parts.reduce<Part>((total, part) => (total === null || part === null ? null : total + part), 0);
}
