import type { Delivery } from '../lib/delivery.js';
import { OptimiseModelError } from '../messages/error.js';
import type { BenchOptions, BenchTarget } from './bench-options.js';
import type { RowName } from './bench-result.js';

/** One variant × delivery × memory to be measured. */
export type PlannedRow = {
  readonly target: BenchTarget;
  readonly delivery: Delivery;
  readonly memoryMiB: number | null;
};

/**
 * Lists what is to be measured: each target by each delivery in each memory profile, without what is left out.
 *
 * @param options - Targets, deliveries, profiles and what to skip.
 * @returns Rows in the order of targets, then of deliveries, then of profiles.
 * @throws `bench-nothing-to-measure` when none is left.
 */
export function planRows(
  options: Pick<BenchOptions, 'targets' | 'deliveries' | 'memoryMiB' | 'skip'>,
): PlannedRow[] {
  const isSkipped = (target: BenchTarget, delivery: Delivery): boolean =>
    options.skip.some((skip) => skip.variantId === target.variantId && skip.delivery === delivery);
  const memories = options.memoryMiB.length === 0 ? [null] : [...new Set(options.memoryMiB)];
  const rows = options.targets.flatMap((target) =>
    [...new Set([...options.deliveries, ...(target.deliveries ?? [])])]
      .filter((delivery) => !isSkipped(target, delivery))
      .filter((delivery) => target.deliveries === null || target.deliveries.includes(delivery))
      // What is only in a store is nobody's layer.
      .filter((delivery) => delivery !== 'layer' || target.artifactFolder !== null)
      .flatMap((delivery) => memories.map((memoryMiB) => ({ target, delivery, memoryMiB }))),
  );
  if (rows.length > 0) return rows;
  throw OptimiseModelError.of('bench-nothing-to-measure', { skipped: options.skip.length });
}

/**
 * Names a planned row.
 *
 * @param row - The row.
 * @returns What its samples are found by.
 */
export function nameRow({ target: { variantId }, delivery, memoryMiB }: PlannedRow): RowName {
  return { variantId, delivery, memoryMiB };
}

/**
 * Tells whether two names are of one row.
 *
 * @param left - One.
 * @param right - The other.
 * @returns Whether variant, delivery and memory are the same.
 */
export function isSameRow(left: RowName, right: RowName): boolean {
  return (
    left.variantId === right.variantId &&
    left.delivery === right.delivery &&
    left.memoryMiB === right.memoryMiB
  );
}
