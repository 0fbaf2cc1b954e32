import { OptimiseModelError } from '../../messages/error.js';
import type { SweepOptions } from './sweep-options.js';

/**
 * Refuses numbers with which nothing sensible can be measured.
 *
 * @param options - What the sweep was asked.
 * @throws `bench-options-wrong` for the first that is wrong.
 */
export function checkSweepOptions(options: SweepOptions): void {
  const { cpus, rounds, window, timeoutMs } = options;
  const { durationMs, leastInferences, mostMs } = window;
  refuseUnless(Number.isFinite(cpus) && cpus > 0, 'sweep.cpus', cpus, 'a number greater than 0');
  refuseUnless(
    Number.isSafeInteger(rounds) && rounds >= 1,
    'sweep.rounds',
    rounds,
    'an integer of at least 1',
  );
  const isCount = Number.isSafeInteger(leastInferences) && leastInferences >= 1;
  refuseUnless(isCount, 'sweep.leastInferences', leastInferences, 'an integer of at least 1');
  const isDuration = Number.isFinite(durationMs) && durationMs > 0;
  refuseUnless(isDuration, 'sweep.durationMs', durationMs, 'a number greater than 0');
  refuseUnless(mostMs >= durationMs, 'sweep.mostMs', mostMs, `at least durationMs, ${durationMs}`);
  refuseUnless(timeoutMs > 0, 'timeoutSeconds', timeoutMs / 1000, 'a number greater than 0');
}

function refuseUnless(isRight: boolean, option: string, value: number, expected: string): void {
  if (isRight) return;
  const facts = { option, seen: String(value), expected };
  throw OptimiseModelError.of('bench-options-wrong', facts);
}
