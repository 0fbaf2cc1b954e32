/** No bucket has this name, so that no object is hidden by it. */
const prefix = '/-/link-check/';
const pieceBytes = 64 * 1024;

/**
 * Names bytes that shapers make up themselves, so that a link can be measured whatever the store behind it holds.
 *
 * @param sizeBytes - How many, ≥ 1.
 * @returns The path to ask a shaper for.
 */
export function checkPath(sizeBytes: number): string {
  return `${prefix}${sizeBytes}`;
}

/**
 * Tells whether a request is for made-up bytes.
 *
 * @param path - Its path.
 * @returns How many bytes; null for any other request.
 */
export function readCheckPath(path: string): number | null {
  const digits = path.startsWith(prefix) ? path.slice(prefix.length) : '';
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : null;
}

/**
 * Makes bytes up.
 *
 * @param sizeBytes - How many.
 * @returns Zeros, in pieces of at most 64 KiB that share their memory.
 */
export function* makeZeros(sizeBytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(Math.min(sizeBytes, pieceBytes));
  for (let leftBytes = sizeBytes; leftBytes > 0; leftBytes -= pieceBytes)
    yield leftBytes < pieceBytes ? piece.subarray(0, leftBytes) : piece;
}
