import { formatBytes, formatExactBytes } from '../lib/format-quantity.js';

/** Something that takes room in a budget. */
export type CountedItem = { readonly what: string; readonly sizeBytes: number };

/**
 * What a line measures against; `zipped` and `memory` are estimates and make no verdict, but for an artifact that alone
 * takes more memory than there is.
 */
export type BudgetName = 'unzipped' | 'ephemeral' | 'memory' | 'zipped';

/** One sum against one limit. */
export type BudgetLine = {
  readonly budget: BudgetName;
  readonly usedBytes: number;
  readonly limitBytes: number;
  /** What is still free, bytes; negative when over. */
  readonly leftBytes: number;
  /** 100 × used ÷ limit, not rounded. */
  readonly percent: number;
  readonly counted: readonly CountedItem[];
  readonly rule: 'smaller than' | 'at most';
  readonly verdict: 'pass' | 'fail' | 'finding';
};

/**
 * Holds a sum against a limit.
 *
 * @param asked - What is counted, the limit in bytes, the platform's comparison, and what being over means.
 * @returns The line, with the verdict.
 */
export function drawBudgetLine(asked: {
  readonly budget: BudgetName;
  readonly counted: readonly CountedItem[];
  readonly limitBytes: number;
  readonly rule: BudgetLine['rule'];
  readonly whenOver: 'fail' | 'finding';
}): BudgetLine {
  const { budget, counted, limitBytes, rule, whenOver } = asked;
  const usedBytes = counted.reduce((sum, item) => sum + item.sizeBytes, 0);
  const fits = rule === 'smaller than' ? usedBytes < limitBytes : usedBytes <= limitBytes;
  return {
    budget,
    usedBytes,
    limitBytes,
    leftBytes: limitBytes - usedBytes,
    percent: (100 * usedBytes) / limitBytes,
    counted,
    rule,
    verdict: fits ? 'pass' : whenOver,
  };
}

/**
 * Says in a few words how a line came out; exact bytes wherever rounded figures would hide the difference.
 *
 * @param line - A line of a budget.
 * @returns Such as `unzipped 63.2 MiB of 250.0 MiB (25.3 %)` or `unzipped 251.0 MiB, over 250.0 MiB by 1.0 MiB`.
 */
export function describeBudgetLine(line: BudgetLine): string {
  const { budget, usedBytes, limitBytes, leftBytes, rule, percent } = line;
  const isHidden =
    Math.abs(leftBytes) < 0.1 * 1024 ** 2 || formatBytes(usedBytes) === formatBytes(limitBytes);
  const write = isHidden ? (bytes: number) => `${formatExactBytes(bytes)} B` : formatBytes;
  if (leftBytes < 0) {
    return `${budget} ${write(usedBytes)}, over the limit of ${write(limitBytes)} by ${write(-leftBytes)}`;
  }
  if (leftBytes === 0 && rule === 'smaller than') {
    return `${budget} ${write(usedBytes)}, at limit: must be smaller than ${write(limitBytes)}`;
  }
  if (isHidden) return `${budget} ${write(usedBytes)} of ${write(limitBytes)} (${write(leftBytes)} left)`;
  return `${budget} ${write(usedBytes)} of ${write(limitBytes)} (${percent.toFixed(1)} %)`;
}
