import type { BenchReport, BenchReportSample } from '../../documents/bench-result.js';
import { countOf } from '../write-value.js';
import { writeRowName } from './name-row.js';

/** A sample that lost more than this share of its processors' time to the host is named. */
const notableShare = 0.01;

/**
 * Says how much of the samples' time the host took away, where that is worth knowing.
 *
 * @param bench - The whole benchmark.
 * @returns One sentence without a full stop; null when no sample lost more than 1 %.
 */
export function describeSteal({ samples, machine }: BenchReport): string | null {
  const shares = samples.map((sample) => ({ sample, share: shareOfSteal(sample, machine.cores) }));
  const notable = shares.filter(({ share }) => share > notableShare);
  const worst = notable.reduce<(typeof notable)[number] | null>(
    (most, item) => (most === null || item.share > most.share ? item : most),
    null,
  );
  if (worst === null) return null;
  return (
    `the host took more than 1 % of the processors' time from ${notable.length} of ${countOf(samples.length, 'sample')}, ` +
    `at most ${(100 * worst.share).toFixed(1)} % (${writeRowName(worst.sample)}, run ${worst.sample.run + 1})`
  );
}

/** Stolen time is counted over all processors of the machine, so it is set against the time of all of them. */
function shareOfSteal({ phases, steadyMs, stealMs }: BenchReportSample, cores: number): number {
  if (stealMs === null || phases === null || cores === 0) return 0;
  const elapsedMs = [...Object.values(phases), ...steadyMs].reduce((sum, value) => sum + value, 0);
  return elapsedMs > 0 ? stealMs / (elapsedMs * cores) : 0;
}
