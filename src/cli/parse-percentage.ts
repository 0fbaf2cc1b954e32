import { commander } from './commander.js';

/**
 * Reads how much something may grow.
 *
 * @param text - `10%`, `2.5 %` or the share `0.1`.
 * @returns The share, 0 or more; 0.1 for `10%`.
 * @throws InvalidArgumentError, which commander words; also for a bare number above 1, such as `10`, which may mean ten
 *   percent as well as ten times.
 */
export function parsePercentage(text: string): number {
  const [, digits = '', sign] = /^\s*(\d+(?:\.\d*)?|\.\d+)\s*(%)?\s*$/.exec(text) ?? [];
  const number = digits === '' ? Number.NaN : Number(digits);
  if (!Number.isFinite(number)) {
    throw new commander.InvalidArgumentError('It must be a percentage such as 10%, or a share such as 0.1.');
  }
  if (sign !== undefined) return number / 100;
  if (number > 1) throw new commander.InvalidArgumentError(`Write ${digits}% for a percentage.`);
  return number;
}
