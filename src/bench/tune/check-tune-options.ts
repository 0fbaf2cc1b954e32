import { OptimiseModelError } from '../../messages/error.js';
import type { TuneOptions } from './tune-options.js';

/**
 * Refuses numbers with which nothing sensible can be measured.
 *
 * @param options - What the tuning was asked.
 * @throws `bench-options-wrong` for the first that is wrong.
 */
export function checkTuneOptions(options: TuneOptions): void {
  const { threads, runs, warm, levels, mostSteadyShare, timeoutMs } = options;
  for (const [option, value] of Object.entries({ threads, runs, warm })) {
    const isCount = Number.isSafeInteger(value) && value >= 1;
    refuseUnless(isCount, `tune.${option}`, value, 'an integer of at least 1');
  }
  refuseUnless(levels.length > 0, 'tune.levels', 'empty', 'one level or more');
  refuseUnless(mostSteadyShare >= 1, 'tune.mostSteadyShare', mostSteadyShare, 'a number of at least 1');
  refuseUnless(timeoutMs > 0, 'timeoutSeconds', timeoutMs / 1000, 'a number greater than 0');
}

function refuseUnless(isRight: boolean, option: string, value: unknown, expected: string): void {
  if (isRight) return;
  const facts = { option, seen: String(value), expected };
  throw OptimiseModelError.of('bench-options-wrong', facts);
}
