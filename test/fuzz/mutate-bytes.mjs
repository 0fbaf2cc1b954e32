// Mutations that know nothing of the content: most of them break the framing.

/** Flips one to four bits anywhere. */
export function flipBits(bytes, { integer }) {
  const copy = Buffer.from(bytes);
  for (let count = integer(1, 4); count > 0; count -= 1) {
    copy[integer(0, copy.length - 1)] ^= 1 << integer(0, 7);
  }
  return copy;
}

/** Cuts the end off. */
export function truncate(bytes, { integer }) {
  return bytes.subarray(0, integer(0, bytes.length - 1));
}

/** Puts in, takes out or repeats a few bytes. */
export function shift(bytes, { integer }) {
  const at = integer(0, bytes.length);
  const count = integer(1, 12);
  const put = Buffer.from(Array.from({ length: count }, () => integer(0, 255)));
  const end = Math.min(bytes.length, at + count);
  const middle = [put, Buffer.alloc(0), Buffer.concat([bytes.subarray(at, end), bytes.subarray(at, end)])][
    integer(0, 2)
  ];
  return Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(integer(0, 1) === 0 ? at : end)]);
}

/** Puts a stretch of another model in the place of one of this. */
export function spliceBytes(bytes, { integer }, other) {
  const at = integer(0, bytes.length);
  const from = integer(0, other.length);
  const stretch = other.subarray(from, from + integer(1, 64));
  return Buffer.concat([
    bytes.subarray(0, at),
    stretch,
    bytes.subarray(Math.min(bytes.length, at + integer(0, 64))),
  ]);
}
