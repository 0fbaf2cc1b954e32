import { OptimiseModelError } from '../messages/error.js';
import type { BenchOptions } from './bench-options.js';

/**
 * Refuses numbers with which nothing sensible can be measured.
 *
 * @param options - What the benchmark was asked.
 * @throws `bench-options-wrong` for the first that is wrong.
 */
export function checkBenchOptions(options: BenchOptions): void {
  checkWhole('runs', options.runs, 1);
  checkWhole('warm', options.warm, 0);
  checkWhole('threads', options.threads, 1);
  if (options.timeoutMs !== undefined) checkPositive('timeoutSeconds', options.timeoutMs);
  if (options.link !== 'direct') {
    checkNotNegative('link.latencyMs', options.link.latencyMs);
    checkPositive('link.mbPerSecond', options.link.bytesPerSecond);
  }
  for (const [delivery, stated] of Object.entries(options.environment))
    checkNotNegative(`environment.${delivery}.ms`, stated.ms);
}

function checkWhole(option: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) refuse(option, value, `an integer of at least ${least}`);
}

function checkPositive(option: string, value: number): void {
  if (!Number.isFinite(value) || value <= 0) refuse(option, value, 'a number greater than 0');
}

function checkNotNegative(option: string, value: number): void {
  if (!Number.isFinite(value) || value < 0) refuse(option, value, 'a number of at least 0');
}

function refuse(option: string, value: number, expected: string): never {
  throw OptimiseModelError.of('bench-options-wrong', { option, seen: String(value), expected });
}
