import { type Finding, makeFinding } from '../../messages/finding.js';
import type { BenchOptions } from '../bench-options.js';
import type { BenchResult, BenchRow, BenchSample } from '../bench-result.js';
import { listWideRows } from './sampling-rule.js';

/**
 * Says what the statistics found: samples that lie far off, and rows that did not become as narrow as was aimed at.
 *
 * @param bench - Rows and samples.
 * @param options - The width that was aimed at.
 * @returns Findings.
 */
export function listStatisticsFindings(
  { rows, samples }: Pick<BenchResult, 'rows' | 'samples'>,
  { targetWidth }: Pick<BenchOptions, 'targetWidth'>,
): Finding[] {
  return [...describeOutliers(rows), ...(targetWidth === null ? [] : describeWidth(samples, targetWidth))];
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
