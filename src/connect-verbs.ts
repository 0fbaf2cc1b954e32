import type { BenchSkip } from './bench/bench-options.js';
import type { BenchResult, BenchRow } from './bench/bench-result.js';
import { comparedMedians, comparedSpreads } from './bench/compared-medians.js';
import type { Spread } from './bench/statistics/spread.js';
import type { CheckResult } from './check/check-budgets.js';
import { type ComparedRow, findComparedRow } from './lib/compared-row.js';
import type { PickCandidate, PickMeasure, PickMeasures } from './pick/pick-candidate.js';
import { type PickRules, usualRules } from './pick/pick-rules.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import type { RunVariant } from './run-pipeline.js';
import type { ReleasedArtifact } from './store/release-record.js';
import type { ParityResult } from './validate/parity-result.js';

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
    const isTooBig = require.budgets === 'pass' && row?.verdict === 'fail';
    if (isUnproven) return [{ variantId: variant.id, delivery, reason: `parity ${variant.parity?.verdict}` }];
    return isTooBig ? [{ variantId: variant.id, delivery, reason: row.reason }] : [];
  });
}

/**
 * Puts what every verb found about each variant × delivery side by side, for the choice.
 *
 * @param pipeline - The deliveries, and what is left out.
 * @param variants - With parity and staging.
 * @param budgets - What check found.
 * @param bench - What was measured; null when nothing was.
 * @returns One candidate per variant and delivery.
 */
export function describeCandidates(
  pipeline: Pipeline,
  variants: readonly RunVariant[],
  budgets: CheckResult | null,
  bench: BenchResult | null,
): readonly PickCandidate[] {
  return variants.flatMap((variant) =>
    pipeline.bench.deliveries.map((delivery) => {
      const budget = findBudget(budgets, variant.id, delivery);
      const found = bench === null ? undefined : findComparedRow(bench, variant.id, delivery);
      return {
        variantId: variant.id,
        delivery,
        startMode: 'on-demand' as const,
        engine: variant.record.variant.engine,
        layout: variant.record.variant.layout,
        memoryMiB: found?.row.memoryMiB ?? null,
        sizeBytes: variant.record.sizeBytes,
        deployedBytes: variant.record.sizeBytes,
        binding: null,
        unfit: [],
        parity: variant.parity && { verdict: variant.parity.verdict, reason: sayParity(variant.parity) },
        budget: budget === undefined ? null : { verdict: budget.verdict, reason: budget.reason },
        runs: found?.row.runs ?? 0,
        failures: found?.failures ?? 0,
        ...describeMeasurement(found),
      };
    }),
  );
}

/** One clause; the whole story is in the parity table. */
function sayParity({ verdict, reason, outputs }: ParityResult): string {
  const outside = outputs.filter((output) => output.outsideCount > 0);
  if (verdict !== 'fail' || outside.length === 0) return reason;
  return outside
    .map(({ name, outsideCount, count }) => `${outsideCount} of ${count} elements of \`${name}\` outside`)
    .join(', ');
}

const noMetrics = { totalMs: null, readyMs: null, steadyMs: null } as const;
const noMeasures: PickMeasures = {
  total: null,
  ready: null,
  steady: null,
  costPer100k: null,
  init: null,
  firstCall: null,
};

function describeMeasurement(
  found: ComparedRow<BenchRow> | undefined,
): Pick<PickCandidate, 'measures' | 'notComparable'> {
  if (found === undefined) return { measures: noMeasures, notComparable: [] };
  const { row, notComparable: reason } = found;
  if (reason !== null) {
    const measured = ['total', 'ready', 'steady'] as const;
    return { measures: noMeasures, notComparable: measured.map((objective) => ({ objective, reason })) };
  }
  const { totalMs, readyMs, steadyMs } = comparedSpreads(row);
  const measures = {
    ...noMeasures,
    total: row.comparable.total === null ? describeMeasure(totalMs) : null,
    ready: row.comparable.ready === null ? describeMeasure(readyMs) : null,
    steady: describeMeasure(steadyMs),
  };
  const notComparable = (['total', 'ready'] as const).flatMap((objective) => {
    const gap = row.comparable[objective];
    return gap === null ? [] : [{ objective, reason: gap }];
  });
  return { measures, notComparable };
}

function describeMeasure(spread: Spread | null): PickMeasure | null {
  if (spread === null) return null;
  const { median, p95, min, max } = spread;
  return { value: median, p95, min, max, samples: [], evidence: [] };
}

/**
 * Takes out of a pipeline what pick chooses by.
 *
 * @param pipeline - The resolved pipeline.
 * @returns Its rules.
 */
export function rulesOf({ pick }: Pipeline): PickRules {
  return { ...usualRules, ...pick, require: { ...usualRules.require, ...pick.require } };
}

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

function summariseRow({ row, notComparable }: ComparedRow<BenchRow>): ReleasedArtifact['bench'][number] {
  const { totalMs, readyMs, steadyMs } = notComparable === null ? comparedMedians(row) : noMetrics;
  return {
    delivery: row.delivery,
    runs: row.runs,
    medianTotalMs: totalMs,
    medianReadyMs: readyMs,
    medianSteadyMs: steadyMs,
  };
}

function findBudget(budgets: CheckResult | null, variantId: string, delivery: string) {
  return budgets?.rows.find((row) => row.variantId === variantId && row.delivery === delivery);
}
