import type { BenchResult, BenchRow } from './bench/bench-result.js';
import { comparedMedians } from './bench/compared-medians.js';
import type { CheckResult } from './check/check-budgets.js';
import { type ComparedRow, findComparedRow } from './lib/compared-row.js';
import type { RunVariant } from './run-pipeline.js';
import type { ReleasedArtifact } from './store/release-record.js';

/**
 * Gathers what a release says of each artifact.
 *
 * @param variants - Those that are staged are listed.
 * @param budgets - What check found.
 * @param bench - What was measured.
 * @returns One entry per staged artifact.
 */
export function summariseArtifacts(
  variants: readonly RunVariant[],
  budgets: CheckResult | null,
  bench: BenchResult | null,
): readonly ReleasedArtifact[] {
  return variants
    .filter((variant) => variant.staged !== null)
    .map(({ id, record: { expansion: _expansion, ...record }, parity, sessions }) => ({
      digest: record.digest,
      record,
      sessions,
      parity: parity && { verdict: parity.verdict, reason: parity.reason },
      budgets: (budgets?.rows ?? [])
        .filter((row) => row.variantId === id)
        .map(({ delivery, verdict, reason }) => ({ delivery, verdict, reason })),
      bench: bench === null ? [] : summariseDeliveries(bench, id),
    }));
}

function summariseDeliveries(bench: BenchResult, variantId: string): ReleasedArtifact['bench'] {
  const rows = bench.rows.filter((row) => row.variantId === variantId);
  return [...new Set(rows.map((row) => row.delivery))].flatMap((delivery) => {
    const found = findComparedRow(bench, variantId, delivery);
    return found === undefined ? [] : [summariseRow(found)];
  });
}

const noMedians = { totalMs: null, readyMs: null, steadyMs: null } as const;

function summariseRow({ row, notComparable }: ComparedRow<BenchRow>): ReleasedArtifact['bench'][number] {
  const { totalMs, readyMs, steadyMs } = notComparable === null ? comparedMedians(row) : noMedians;
  return {
    delivery: row.delivery,
    runs: row.runs,
    medianTotalMs: totalMs,
    medianReadyMs: readyMs,
    medianSteadyMs: steadyMs,
  };
}
