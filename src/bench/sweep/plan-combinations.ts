import type { Combination } from './sweep-result.js';

/** Beyond twice the processors nothing is gained by waiting threads, and latency only grows. */
const mostOversubscription = 2;

/**
 * Plans which combinations of workers and threads are measured: powers of two and the number of processors itself, as
 * far as all threads together are at most twice the processors.
 *
 * @param cpus - Processors that all workers share, > 0; a part of one is possible.
 * @returns Combinations, fewer workers first, then fewer threads; one worker with one thread is always among them.
 */
export function planCombinations(cpus: number): Combination[] {
  const most = Math.max(1, Math.floor(cpus * mostOversubscription));
  const sizes = listSizes(most, Math.floor(cpus));
  return sizes.flatMap((workers) =>
    sizes
      .filter((threads) => workers * threads <= most)
      .map((threads) => ({ workers, threads, isOversubscribed: workers * threads > Math.max(1, cpus) })),
  );
}

function listSizes(most: number, whole: number): number[] {
  const powers = Array.from({ length: Math.floor(Math.log2(most)) + 1 }, (_, power) => 2 ** power);
  return [...new Set([...powers, whole])].filter((size) => size >= 1).sort((left, right) => left - right);
}
