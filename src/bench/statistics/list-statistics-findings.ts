import { type Finding, makeFinding } from '../../messages/finding.js';
import type { BenchOptions } from '../bench-options.js';
import type { BaselineVerdict, BenchResult, BenchRow, BenchSample } from '../bench-result.js';
import { listWideRows } from './sampling-rule.js';

/**
 * Says what the statistics found: samples that lie far off, rows that did not become as narrow as was aimed at, and the
 * verdict on the release that was measured beside.
 *
 * @param bench - Rows, samples and the verdict.
 * @param options - The width that was aimed at, and the release.
 * @returns Findings; the one on the release last, of severity `error` when the run is slower, `warning` when that could
 *   not be judged.
 */
export function listStatisticsFindings(
  { rows, samples, baseline }: Pick<BenchResult, 'rows' | 'samples' | 'baseline'>,
  options: Pick<BenchOptions, 'targetWidth' | 'baseline'>,
): Finding[] {
  return [
    ...describeOutliers(rows),
    ...(options.targetWidth === null ? [] : describeWidth(samples, options.targetWidth)),
    ...(options.baseline === null ? [] : [describeBaseline(baseline, options.baseline.release)]),
  ];
}

function describeOutliers(rows: readonly BenchRow[]): Finding[] {
  const flagged = rows.filter((row) => row.outliers.length > 0);
  const [first, ...rest] = flagged;
  if (first === undefined) return [];
  const most = rest.reduce((best, row) => (row.outliers.length > best.outliers.length ? row : best), first);
  const facts = {
    variantId: most.variantId,
    delivery: most.delivery,
    outliers: flagged.reduce((sum, row) => sum + row.outliers.length, 0),
    samples: rows.reduce((sum, row) => sum + row.runs, 0),
    rows: flagged.length,
    runs: most.outliers,
  };
  return [makeFinding('info', 'bench-outliers-flagged', facts)];
}

function describeWidth(samples: readonly BenchSample[], targetWidth: number): Finding[] {
  const wide = listWideRows(samples, targetWidth);
  const [first, ...rest] = wide;
  if (first === undefined) return [];
  const widest = rest.reduce(
    (most, row) => ((row.width ?? Infinity) > (most.width ?? Infinity) ? row : most),
    first,
  );
  const rows = new Set(
    samples.map((each) => JSON.stringify([each.variantId, each.delivery, each.memoryMiB])),
  );
  const { variantId, delivery, width } = widest;
  const runs = 1 + samples.reduce((last, sample) => Math.max(last, sample.run), -1);
  const facts = { variantId, delivery, width, targetWidth, wideRows: wide.length, rows: rows.size, runs };
  return [makeFinding('warning', 'bench-width-not-reached', facts)];
}

function describeBaseline(verdict: BaselineVerdict | null, release: string): Finding {
  if (verdict === null) {
    const reason = 'it and a candidate were nowhere both measured with a total that leaves nothing out';
    return makeFinding('warning', 'bench-baseline-not-comparable', { release, reason });
  }
  const { mostRatio, total, candidate: named } = verdict;
  const candidate = { variantId: named.variantId, delivery: named.delivery };
  const { ratio, low, high } = total;
  const facts = { release, candidate, ratio, low, high, mostRatio };
  if (verdict.verdict === 'pass') return makeFinding('info', 'bench-baseline-passed', facts);
  if (verdict.verdict === 'fail') return makeFinding('error', 'bench-slower-than-baseline', facts);
  const reachesBothSides = low <= mostRatio && high > mostRatio;
  return makeFinding('warning', 'bench-baseline-inconclusive', { ...facts, reachesBothSides });
}
