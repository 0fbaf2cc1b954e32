import type { BenchSkip } from './bench/bench-options.js';
import type { BudgetRow, CheckResult } from './check/check-budgets.js';
import type { Delivery } from './lib/delivery.js';
import type { Variant } from './lib/variant.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import type { RunVariant } from './run-pipeline.js';

/**
 * Names the deliveries of a variant that cannot win whatever is measured, so that no time is spent on them.
 *
 * @param pipeline - What pick requires.
 * @param variant - The variant with its parity.
 * @param budgets - What check found.
 * @returns Deliveries that are left out, with the reason.
 */
export function findExclusions(
  pipeline: Pipeline,
  variant: RunVariant,
  budgets: CheckResult | null,
): readonly BenchSkip[] {
  const { require } = pipeline.pick;
  const isUnproven =
    require.parity === 'pass' && variant.parity !== null && variant.parity.verdict !== 'pass';
  return pipeline.bench.deliveries.flatMap((delivery) => {
    const row = findBudget(budgets, variant.id, delivery);
    const isRefused = require.budgets === 'pass' && row !== undefined && row.verdict !== 'pass';
    const impossible = explainImpossible(variant.record.variant, delivery);
    if (isUnproven) return [{ variantId: variant.id, delivery, reason: `parity ${variant.parity?.verdict}` }];
    if (impossible !== null) return [{ variantId: variant.id, delivery, reason: impossible }];
    return isRefused ? [{ variantId: variant.id, delivery, reason: row.reason }] : [];
  });
}

/**
 * Says why a delivery cannot open an artifact, whatever it is measured by.
 *
 * @param variant - What the artifact is.
 * @param delivery - How its bytes would come.
 * @returns One clause; null when it can.
 */
export function explainImpossible({ engine, layout }: Variant, delivery: Delivery): string | null {
  const isHeldInMemory = engine === 'openvino' && layout === 'external' && delivery === 'lazy';
  return isHeldInMemory ? 'OpenVINO reads external data from files only, and lazy writes none' : null;
}

/**
 * Finds what check said of a variant × delivery.
 *
 * @param budgets - What check found; null when it was not asked.
 * @param variantId - The variant.
 * @param delivery - The delivery.
 * @returns The row; undefined where there is none.
 */
export function findBudget(
  budgets: CheckResult | null,
  variantId: string,
  delivery: string,
): BudgetRow | undefined {
  return budgets?.rows.find((row) => row.variantId === variantId && row.delivery === delivery);
}
