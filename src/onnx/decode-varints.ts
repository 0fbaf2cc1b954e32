/**
 * Decodes packed varints to fixed-width numbers, as `raw_data` would hold them.
 *
 * @param encoded - The varints, one after the other.
 * @param entryBytes - Bytes per number; of a longer number the lowest count, as protobuf has it.
 * @returns Little-endian numbers; undefined when a varint is cut off or too long.
 */
export function decodeVarints(encoded: Uint8Array, entryBytes: 1 | 2 | 4 | 8): Uint8Array | undefined {
  const decoded = new Uint8Array(countVarints(encoded) * entryBytes);
  const words = new Uint32Array(2);
  const bytes = new Uint8Array(words.buffer);
  let at = 0;
  let shift = 0;
  for (const byte of encoded) {
    if (shift > 63) return undefined;
    addBits(words, byte & 0x7f, shift);
    shift += 7;
    if (byte >= 0x80) continue;
    for (let index = 0; index < entryBytes; index += 1) decoded[at + index] = bytes[index] ?? 0;
    at += entryBytes;
    words.fill(0);
    shift = 0;
  }
  return shift === 0 ? decoded : undefined;
}

/** Varints end with a byte whose high bit is clear. */
function countVarints(encoded: Uint8Array): number {
  let count = 0;
  for (const byte of encoded) if (byte < 0x80) count += 1;
  return count;
}

function addBits(words: Uint32Array, bits: number, shift: number): void {
  const [low = 0, high = 0] = words;
  if (shift < 32) words[0] = low | (bits << shift);
  if (shift === 28) words[1] = high | (bits >>> 4);
  else if (shift > 28) words[1] = high | (bits << (shift - 32));
}
