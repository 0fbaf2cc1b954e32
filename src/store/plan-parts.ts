import type { ByteRange } from './store.js';

/**
 * Cuts an object into parts of equal size; the last one takes the rest.
 *
 * @param sizeBytes - Size of the object, ≥ 0.
 * @param partSizeBytes - Size of a part, ≥ 1.
 * @returns Adjoining ranges in order, together exactly the object, each made when it is asked for; none for an empty one.
 */
export function* planParts(sizeBytes: number, partSizeBytes: number): Generator<ByteRange, undefined> {
  for (let offset = 0; offset < sizeBytes; offset += partSizeBytes) {
    yield { offset, length: Math.min(partSizeBytes, sizeBytes - offset) };
  }
}
