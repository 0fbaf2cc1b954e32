/** Protobuf's wire types, by number; 3 and 4 (groups) are long gone and read as garbage. */
export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** One field of a message: `start` to `end` is its content, in bytes from the beginning of the buffer. */
export type WireField = {
  readonly number: number;
  readonly wireType: number;
  readonly start: number;
  readonly end: number;
};

/** What ended the reading of a message before its end. */
export type WireProblem = {
  readonly problem: 'garbage' | 'cut-off';
  /** Where it begins, in bytes. */
  readonly offset: number;
  /** For `cut-off`: the byte that the field would end at. */
  readonly neededBytes: number;
};

/**
 * Reads the head of the field at an offset, without decoding its content.
 *
 * @param bytes - The buffer.
 * @param offset - Where the field begins.
 * @param limit - Where its message ends.
 * @returns The field, or why there is none.
 * @see https://protobuf.dev/programming-guides/encoding/
 */
export function readField(bytes: Uint8Array, offset: number, limit: number): WireField | WireProblem {
  const tag = readVarint(bytes, offset, limit);
  if ('problem' in tag) return tag;
  const number = Math.floor(tag.value / 8);
  const wireType = tag.value % 8;
  if (number === 0 || number > 0x1fff_ffff) return { problem: 'garbage', offset, neededBytes: 0 };
  const content = contentOf(bytes, tag.end, limit, wireType);
  if ('problem' in content) return { ...content, offset };
  if (content.end > limit) return { problem: 'cut-off', offset, neededBytes: content.end };
  return { number, wireType, start: content.start, end: content.end };
}

function contentOf(
  bytes: Uint8Array,
  start: number,
  limit: number,
  wireType: number,
): { start: number; end: number } | WireProblem {
  if (wireType === wireTypes.fixed64) return { start, end: start + 8 };
  if (wireType === wireTypes.fixed32) return { start, end: start + 4 };
  if (wireType !== wireTypes.varint && wireType !== wireTypes.bytes) {
    return { problem: 'garbage', offset: start, neededBytes: 0 };
  }
  const number = readVarint(bytes, start, limit);
  if ('problem' in number) return number;
  if (wireType === wireTypes.varint) return { start, end: number.end };
  return { start: number.end, end: number.end + number.value };
}

/** A value above 2^53 is not exact; lengths and tags that large are refused by their size anyway. */
function readVarint(
  bytes: Uint8Array,
  offset: number,
  limit: number,
): { value: number; end: number } | WireProblem {
  let value = 0;
  let scale = 1;
  for (let at = offset; at < offset + 10; at += 1) {
    if (at >= limit) return { problem: 'cut-off', offset, neededBytes: at + 1 };
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * scale;
    scale *= 128;
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return { problem: 'garbage', offset, neededBytes: 0 };
}
