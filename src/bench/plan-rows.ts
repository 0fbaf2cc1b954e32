import type { Delivery } from '../lib/delivery.js';
import { OptimiseModelError } from '../messages/error.js';
import type { BenchOptions, BenchTarget } from './bench-options.js';

/** One variant × delivery to be measured. */
export type PlannedRow = { readonly target: BenchTarget; readonly delivery: Delivery };

/**
 * Lists what is to be measured: each target by each delivery, without what is left out.
 *
 * @param options - Targets, deliveries and what to skip.
 * @returns Rows in the order of targets, then of deliveries.
 * @throws `bench-nothing-to-measure` when none is left.
 */
export function planRows(options: Pick<BenchOptions, 'targets' | 'deliveries' | 'skip'>): PlannedRow[] {
  const isSkipped = ({ target, delivery }: PlannedRow): boolean =>
    options.skip.some((skip) => skip.variantId === target.variantId && skip.delivery === delivery);
  const rows = options.targets
    .flatMap((target) => [...new Set(options.deliveries)].map((delivery) => ({ target, delivery })))
    .filter((row) => !isSkipped(row));
  if (rows.length > 0) return rows;
  throw OptimiseModelError.of('bench-nothing-to-measure', { skipped: options.skip.length });
}
