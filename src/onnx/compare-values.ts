/**
 * Compares two values of a field of numbers, text or bytes.
 *
 * @param left - A value; whole numbers may be `Long`.
 * @param right - The other one.
 * @returns Whether they are the same: 0 and -0 are not, NaN is.
 */
export function isSameValue(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((value, index) => isSameValue(value, right[index]));
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right) === 0;
  if (!isLong(left) && !isLong(right)) return false;
  return String(left) === String(right);
}

function isLong(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'low' in value;
}
