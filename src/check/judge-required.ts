import { OptimiseModelError } from '../messages/error.js';
import type { BudgetRow } from './check-budgets.js';

/**
 * Decides whether a check passes as a gate.
 *
 * @param rows - What was found per variant and delivery.
 * @param required - `VARIANT`, `DELIVERY` or `VARIANT:DELIVERY`; every row that one names must fit.
 * @returns With nothing required, whether each variant fits by at least one delivery; else whether all that is
 *   required fits.
 * @throws required-unknown when an entry names no row: a gate that checks nothing must not pass.
 */
export function judgeRequired(rows: readonly BudgetRow[], required: readonly string[]): boolean {
  if (required.length === 0) {
    const fitting = new Set(rows.filter((row) => row.verdict === 'pass').map((row) => row.variantId));
    return rows.every((row) => fitting.has(row.variantId));
  }
  return required.every((name) => {
    const named = rows.filter((row) => isNamed(row, name));
    if (named.length === 0) throw OptimiseModelError.of('required-unknown', { name, known: listNames(rows) });
    return named.every((row) => row.verdict === 'pass');
  });
}

function isNamed({ variantId, delivery }: BudgetRow, name: string): boolean {
  return [variantId, delivery, `${variantId}:${delivery}`].includes(name);
}

function listNames(rows: readonly BudgetRow[]): readonly string[] {
  return [...new Set(rows.flatMap(({ variantId, delivery }) => [variantId, delivery]))];
}
