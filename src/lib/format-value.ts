import { formatBytes, formatExactBytes, formatMs } from './format-quantity.js';
import type { ObjectiveUnit } from './objective.js';

/**
 * Writes a value of an objective for people.
 *
 * @param value - In the unit.
 * @param unit - Of the objective.
 * @returns Such as `350 ms`, `10.3 MiB`, `0.59 USD`, or `1.04` for a score.
 */
export function formatValue(value: number, unit: ObjectiveUnit): string {
  if (unit === 'bytes') return formatBytes(value);
  if (unit === 'usd') return formatUsd(value);
  return unit === 'score' ? `${Number(value.toPrecision(4))}` : formatMs(value);
}

/**
 * Writes how far two values are apart, too little for a ratio.
 *
 * @param difference - In the unit, ≥ 0.
 * @param unit - Of the objective.
 * @returns Such as `0.7 ms`.
 */
export function formatDifference(difference: number, unit: ObjectiveUnit): string {
  const digits = Number(difference.toPrecision(2));
  if (unit === 'bytes') return `${formatExactBytes(difference)} B`;
  if (unit === 'usd') return `${digits} USD`;
  return unit === 'score' ? `${digits}` : `${digits} ms`;
}

/**
 * Writes an amount of money for people.
 *
 * @param usd - USD, ≥ 0.
 * @returns Such as `0.5912 USD`, or `2.05 USD` from one on.
 */
export function formatUsd(usd: number): string {
  return `${usd < 1 ? usd.toFixed(4) : usd.toFixed(2)} USD`;
}
