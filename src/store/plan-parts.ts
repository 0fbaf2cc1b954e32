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

const mebibyteBytes = 1024 ** 2;

/**
 * Chooses the part size of an upload: small enough that a few parts on their way bound the memory, large enough that
 * requests do not count, and never more than 10,000 parts.
 *
 * @param sizeBytes - Size of the object.
 * @returns Bytes, a whole number of MiB: 8 MiB up to 128 MiB, 16 MiB above, and what 10,000 parts need above 156 GiB.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
 */
export function choosePartSize(sizeBytes: number): number {
  const usual = sizeBytes <= 128 * mebibyteBytes ? 8 : 16;
  return Math.max(usual, Math.ceil(sizeBytes / 10_000 / mebibyteBytes)) * mebibyteBytes;
}
