const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/**
 * Writes a number of bytes for people, in binary units.
 *
 * @param sizeBytes - Bytes, ≥ 0.
 * @returns Such as `10.3 MiB`, or `812 B` below one KiB.
 */
export function formatBytes(sizeBytes: number): string {
  const power = sizeBytes < 1 ? 0 : Math.min(Math.floor(Math.log2(sizeBytes) / 10), binaryUnits.length - 1);
  return power === 0 ? `${sizeBytes} B` : `${(sizeBytes / 1024 ** power).toFixed(1)} ${binaryUnits[power]}`;
}

/**
 * Writes a number of bytes exactly, as limits are compared.
 *
 * @param sizeBytes - Bytes, a whole number.
 * @returns Such as `262,144,000`.
 */
export function formatExactBytes(sizeBytes: number): string {
  // `toLocaleString` loads all of ICU first, a tenth of a whole command.
  return String(sizeBytes).replace(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * Writes a duration for people.
 *
 * @param durationMs - Milliseconds, ≥ 0.
 * @returns Such as `3.2 ms`, `413 ms` or `12.4 s`.
 */
export function formatMs(durationMs: number): string {
  if (durationMs < 10) return `${durationMs.toFixed(2)} ms`;
  return durationMs < 10_000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}
