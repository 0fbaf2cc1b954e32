import { type Finding, makeFinding } from '../messages/finding.js';
import type { BenchOptions } from './bench-options.js';
import type { BenchResult, BenchRow } from './bench-result.js';
import { describeBaseline } from './statistics/describe-baseline.js';

/** Every code of {@link listComparisonFindings}. */
export const comparisonCodes: readonly string[] = [
  'bench-baseline-passed',
  'bench-baseline-inconclusive',
  'bench-baseline-not-comparable',
  'bench-slower-than-baseline',
  'bench-environment-partial',
  'bench-environment-not-stated',
];

/**
 * Says everything that follows from what is stated of the time before the process: how the run stands against a release,
 * and which rows cannot be compared, or are compared unfairly.
 *
 * @param bench - Rows and the verdict.
 * @param baseline - The release; null when none was named.
 * @returns Findings, the verdict first.
 */
export function listComparisonFindings(
  { rows, baseline: verdict }: Pick<BenchResult, 'rows' | 'baseline'>,
  baseline: BenchOptions['baseline'],
): Finding[] {
  return [
    ...(baseline === null ? [] : [describeBaseline(verdict, baseline.release)]),
    ...describePartial(rows),
    ...describeGaps(rows),
  ];
}

/** What is not stated counts as 0; a layer's total is left out instead, which {@link describeGaps} says. */
function describePartial(rows: readonly BenchRow[]): Finding[] {
  const deliveriesOf = (some: readonly BenchRow[]) => [...new Set(some.map((row) => row.delivery))];
  const stated = deliveriesOf(rows.filter((row) => row.environment !== null));
  const without = deliveriesOf(
    rows.filter((row) => row.environment === null && row.comparable.total === null),
  );
  if (stated.length === 0 || without.length === 0) return [];
  return [makeFinding('warning', 'bench-environment-partial', { stated, without })];
}

function describeGaps(rows: readonly BenchRow[]): Finding[] {
  const gaps = rows.filter((row) => row.comparable.total !== null);
  const [first] = gaps;
  if (first === undefined) return [];
  const variantIds = [...new Set(gaps.map((row) => row.variantId))];
  return [makeFinding('warning', 'bench-environment-not-stated', { variantIds, delivery: first.delivery })];
}
