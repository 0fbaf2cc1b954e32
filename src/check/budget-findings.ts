import { type Finding, makeFinding } from '../messages/finding.js';
import type { BudgetLine } from './budget-line.js';
import type { BudgetRow, CheckOptions } from './check-budgets.js';
import type { Limits } from './resolve-limits.js';
import { findShipped, shippedFor } from './shipped-runtime.js';

/**
 * Says what a row's lines mean for the reader: a failed budget is an error, a zip too big for a direct upload a warning,
 * and what a lazy load needs in memory is always said, as a warning when it is more than there is.
 *
 * @param row - One variant × delivery.
 * @param limits - The limits it was held against.
 * @returns Findings, in the order of the lines.
 */
export function findBudgetProblems(row: BudgetRow, limits: Limits): readonly Finding[] {
  return row.lines.flatMap((line) => {
    if (line.verdict === 'fail') return [reportExceeded(row, line)];
    if (line.budget === 'memory') return [reportMemory(row, line, limits)];
    return line.budget === 'zipped' && line.verdict === 'finding' ? [reportZip(row, line)] : [];
  });
}

/**
 * Says which artifacts could not be judged, since nothing tells how large their runtime is.
 *
 * @param options - Artifacts, and what was measured of their runtimes.
 * @returns One finding per artifact.
 */
export function reportUnjudged({
  artifacts,
  shipped,
}: Pick<CheckOptions, 'artifacts' | 'shipped'>): readonly Finding[] {
  return artifacts.flatMap((artifact) => {
    const { engine, pack, missing, remedy } = findShipped(shipped, artifact);
    if (pack !== null) return [];
    const facts = { variantId: artifact.subject, engine, platform: shippedFor, missing, remedy };
    return [makeFinding('error', 'budget-unknown', facts)];
  });
}

function reportExceeded({ variantId, delivery }: BudgetRow, line: BudgetLine): Finding {
  const { budget, usedBytes, limitBytes, leftBytes, rule } = line;
  const facts = { variantId, delivery, budget, usedBytes, limitBytes, leftBytes, rule };
  return makeFinding('error', 'budget-exceeded', facts);
}

function reportMemory({ variantId, delivery }: BudgetRow, line: BudgetLine, limits: Limits): Finding {
  const [artifact, session] = line.counted;
  return makeFinding(line.verdict === 'pass' ? 'info' : 'warning', 'memory-needed', {
    variantId,
    delivery,
    neededBytes: line.usedBytes,
    artifactBytes: artifact?.sizeBytes ?? 0,
    sessionBytes: session?.sizeBytes ?? 0,
    limitBytes: line.limitBytes,
    isStated: limits.memoryBytes !== null,
  });
}

function reportZip({ variantId, delivery }: BudgetRow, line: BudgetLine): Finding {
  return makeFinding('warning', 'zip-beyond-direct-upload', {
    variantId,
    delivery,
    estimatedBytes: line.usedBytes,
    limitBytes: line.limitBytes,
  });
}
