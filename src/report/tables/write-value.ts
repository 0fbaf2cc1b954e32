import { formatBytes, formatExactBytes, formatMs } from '../../lib/format-quantity.js';
import { formatTolerance } from '../../lib/format-tolerance.js';

const nothing = '–';

/**
 * Writes a duration that may be missing; a missing one is never 0.
 *
 * @param durationMs - Milliseconds, or null.
 * @returns Such as `413 ms`, or a dash.
 */
export function writeMs(durationMs: number | null | undefined): string {
  if (durationMs === null || durationMs === undefined) return nothing;
  return durationMs === 0 ? '0 ms' : formatMs(durationMs);
}

/**
 * Writes a range of durations in one unit.
 *
 * @param minMs - Lowest, milliseconds.
 * @param maxMs - Highest, milliseconds.
 * @returns Such as `402–431 ms`.
 */
export function writeRange(minMs: number, maxMs: number): string {
  const write = (value: number) => (maxMs < 10 ? value.toFixed(2) : Math.round(value).toString());
  return maxMs < 10_000
    ? `${write(minMs)}–${write(maxMs)} ms`
    : `${(minMs / 1000).toFixed(1)}–${(maxMs / 1000).toFixed(1)} s`;
}

/**
 * Writes a computed error or similarity, which may be missing or no number.
 *
 * @param measure - A number, `NaN` or an infinity as a string, or null.
 * @returns Three significant digits, or a dash.
 */
export function writeMeasure(measure: number | string | null): string {
  if (measure === null) return nothing;
  if (typeof measure === 'string') return measure;
  if (measure === 0 || Number.isInteger(measure)) return String(measure);
  return Math.abs(measure) >= 0.001 && Math.abs(measure) < 10_000
    ? String(Number(measure.toPrecision(3)))
    : measure.toExponential(2);
}

/**
 * Writes a tolerance that would have been needed, rounded up, so that what is printed is enough when it is used.
 *
 * @param measure - A tolerance, `NaN` or an infinity as a string, or null.
 * @returns Two significant digits, or a dash.
 */
export function writeTolerance(measure: number | string | null): string {
  return typeof measure === 'number' ? formatTolerance(measure) : writeMeasure(measure);
}

/**
 * Writes a moment to the minute.
 *
 * @param moment - UTC, ISO 8601.
 * @returns Such as `2026-11-30 17:01 UTC`.
 */
export function writeMoment(moment: string): string {
  return moment.replace(/^(.{10})T(\d\d:\d\d).*Z$/, '$1 $2 UTC');
}

/**
 * Writes a similarity so that values just below 1 do not read as 1.
 *
 * @param cosine - From -1 to 1, as a number or string, or null.
 * @returns Such as `0.99998`, `1 - 3.2e-9`, `1`, or a dash.
 */
export function writeCosine(cosine: number | string | null): string {
  if (typeof cosine !== 'number' || cosine === 1 || cosine < 0.9) return writeMeasure(cosine);
  if (cosine > 1) return '1';
  return 1 - cosine < 1e-6 ? `1 − ${(1 - cosine).toExponential(1)}` : cosine.toFixed(6);
}

/**
 * Writes a share so that rounding never turns "just over" or "just below" into 100 %.
 *
 * @param percent - 0 and up, 100 for all of it.
 * @returns Such as `25.3 %`, `< 100 %`, `> 100 %`.
 */
export function writePercent(percent: number): string {
  const rounded = percent.toFixed(1);
  if (rounded !== '100.0' || percent === 100) return `${rounded} %`;
  return percent < 100 ? '< 100 %' : '> 100 %';
}

/**
 * Writes what is left of a limit, with its sign.
 *
 * @param leftBytes - Bytes; negative when over.
 * @returns Such as `186.8 MiB` or `−1.0 MiB`; exact below a MiB.
 */
export function writeLeft(leftBytes: number): string {
  const size = Math.abs(leftBytes);
  const words = size < 1024 ** 2 ? `${formatExactBytes(size)} B` : formatBytes(size);
  return leftBytes < 0 ? `−${words}` : words;
}

/**
 * Counts things in words.
 *
 * @param count - How many.
 * @param noun - One of them.
 * @returns Such as `1 file` or `3 files`.
 */
export function countOf(count: number, noun: string): string {
  return `${formatExactBytes(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Begins a sentence with words that also stand inside one.
 *
 * @param words - Any words.
 * @returns The words with a capital letter first.
 */
export function capitalise(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
