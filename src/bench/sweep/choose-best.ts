import type { BestPoints, SweepPoint } from './sweep-result.js';

/** Differences up to this share are within what two runs of the same differ by. */
const tieShare = 0.02;

/**
 * Chooses the best combination for latency (lowest p50), for throughput (highest) and for cost (lowest).
 *
 * Combinations within 2 % of the best are tied; of these the one with the fewest threads altogether is taken, since what
 * is not used is left to others, then the one with fewer workers, since each holds the model in memory.
 *
 * @param points - What was measured; those that failed cannot win.
 * @returns Positions; null when no point has the figure.
 */
export function chooseBest(points: readonly SweepPoint[]): BestPoints {
  return {
    latency: findLowest(points, (point) => point.p50Ms),
    throughput: findLowest(points, ({ throughputPerSecond }) =>
      throughputPerSecond === null ? null : 1 / throughputPerSecond,
    ),
    cost: findLowest(points, (point) => point.costPer100kUsd),
  };
}

function findLowest(
  points: readonly SweepPoint[],
  read: (point: SweepPoint) => number | null,
): number | null {
  const values = points.map((point) => (point.error === null ? read(point) : null));
  const lowest = Math.min(...values.filter((value) => value !== null));
  const tied = [...points.entries()].filter(([index]) => {
    const value = values[index];
    return value != null && value <= lowest * (1 + tieShare);
  });
  tied.sort(
    ([, left], [, right]) =>
      left.workers * left.threads - right.workers * right.threads || left.workers - right.workers,
  );
  return tied[0]?.[0] ?? null;
}
