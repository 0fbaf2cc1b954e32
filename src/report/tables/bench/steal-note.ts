import { notableStealShare, shareOfSteal } from '../../../lib/steal-share.js';
import type { BenchReport } from '../../documents/bench-result.js';
import { countOf } from '../write-value.js';
import { writeRowName } from './name-row.js';

/**
 * Says how much of the samples' time the host took away, where that is worth knowing.
 *
 * @param bench - The whole benchmark.
 * @returns One sentence without a full stop; null when no sample lost more than {@link notableStealShare}.
 */
export function describeSteal({ samples, machine }: BenchReport): string | null {
  const shares = samples.map((sample) => ({ sample, share: shareOfSteal(sample, machine.cores) }));
  const notable = shares.filter(({ share }) => share > notableStealShare);
  const worst = notable.reduce<(typeof notable)[number] | null>(
    (most, item) => (most === null || item.share > most.share ? item : most),
    null,
  );
  if (worst === null) return null;
  return (
    `the host took more than ${100 * notableStealShare} % of the processors' time from ${notable.length} of ${countOf(samples.length, 'sample')}, ` +
    `at most ${(100 * worst.share).toFixed(1)} % (${writeRowName(worst.sample)}, run ${worst.sample.run + 1})`
  );
}
