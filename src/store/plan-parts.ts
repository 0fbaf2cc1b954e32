import type { ByteRange } from './store.js';

/**
 * Cuts an object into parts of equal size; the last one takes the rest.
 *
 * @param sizeBytes - Size of the object, ≥ 0.
 * @param partSizeBytes - Size of a part, ≥ 1.
 * @returns Adjoining ranges in order, together exactly the object; none for an empty one.
 */
export function planParts(sizeBytes: number, partSizeBytes: number): readonly ByteRange[] {
  const count = Math.ceil(sizeBytes / partSizeBytes);
  return Array.from({ length: count }, (_, index) => {
    const offset = index * partSizeBytes;
    return { offset, length: Math.min(partSizeBytes, sizeBytes - offset) };
  });
}
