/**
 * Writes a measured error for people.
 *
 * @param value - An error or a cosine.
 * @returns Two significant digits, such as `3.1e-4` or `0.25`.
 */
export function formatError(value: number): string {
  return trim(value.toExponential(1), value);
}

/**
 * Writes a needed tolerance for people, rounded up so that what is printed is enough.
 *
 * @param value - A tolerance, ≥ 0.
 * @returns Two significant digits, such as `2.4e-4` or `0.25`.
 */
export function formatTolerance(value: number): string {
  const rounded = value.toExponential(1);
  if (Number(rounded) >= value) return trim(rounded, value);
  const [digits = '0', exponent = '0'] = rounded.split('e');
  const raised = Number(`${(Number(digits) + 0.1).toFixed(1)}e${exponent}`);
  return trim(raised.toExponential(1), raised);
}

/**
 * Writes a cosine for people, with as many nines as it has.
 *
 * @param cosine - −1 to 1.
 * @returns Such as `0.99998`; never rounded up to 1.
 */
export function formatCosine(cosine: number): string {
  if (cosine === 1) return '1';
  const decimals = Math.min(15, Math.max(4, 2 - Math.floor(Math.log10(Math.max(1 - cosine, 1e-15)))));
  const scale = 10 ** decimals;
  return String(Math.floor(cosine * scale) / scale);
}

function trim(exponential: string, value: number): string {
  // Middling numbers read better without an exponent.
  if (value === 0 || (value >= 1e-3 && value < 1e4)) return String(Number(exponential));
  return exponential.replace('.0e', 'e').replace('e+', 'e');
}
