/** Protobuf's wire types, by number; 3 and 4 (groups) are long gone and read as garbage. */
export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** A part of an encoded message that is in memory; it moves where it is needed. Offsets count from the file's beginning. */
export type ByteWindow = {
  /** The byte at offset `start` is `bytes[0]`. */
  bytes: Uint8Array;
  start: number;
  /** Where the bytes that may be read end; `bytes` may be longer. */
  end: number;
  /** Moves the window so that it has the bytes from an offset on, as many as wanted or as there are. */
  readonly seek: (offset: number, wantedBytes: number) => void;
};

/** One field of a message: `start` to `end` is its content, in bytes from the beginning of the file. */
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

/** A tag and a length, or a tag and a varint, take no more. */
const headBytes = 15;

/** Tags and lengths are 32 bits, which the decoder takes from at most 5 bytes; a value may have 10. */
const shortVarintBytes = 5;
const varintBytes = 10;

/**
 * Reads the head of the field at an offset, without reading its content.
 *
 * @param window - Where the bytes are.
 * @param offset - Where the field begins.
 * @param limit - Where its message ends.
 * @returns The field, or why there is none.
 * @see https://protobuf.dev/programming-guides/encoding/
 */
export function readField(window: ByteWindow, offset: number, limit: number): WireField | WireProblem {
  if (offset < window.start || offset + headBytes > window.end) window.seek(offset, headBytes);
  const tag = readVarint(window, offset, limit, shortVarintBytes);
  if ('problem' in tag) return tag;
  const number = Math.floor(tag.value / 8);
  const wireType = tag.value % 8;
  if (number === 0 || number > 0x1fff_ffff) return { problem: 'garbage', offset, neededBytes: 0 };
  const content = contentOf(window, tag.end, limit, wireType);
  if ('problem' in content) return { ...content, offset };
  if (content.end > limit) return { problem: 'cut-off', offset, neededBytes: content.end };
  return { number, wireType, start: content.start, end: content.end };
}

/**
 * Finds the end of a varint.
 *
 * @param window - Where the bytes are.
 * @param offset - Where a varint begins.
 * @returns The offset after it.
 */
export function endOfVarint(window: ByteWindow, offset: number): number {
  if (offset < window.start || offset + headBytes > window.end) window.seek(offset, headBytes);
  let end = offset;
  while ((window.bytes[end - window.start] ?? 0) >= 0x80) end += 1;
  return end + 1;
}

function contentOf(
  window: ByteWindow,
  start: number,
  limit: number,
  wireType: number,
): { start: number; end: number } | WireProblem {
  if (wireType === wireTypes.fixed64) return { start, end: start + 8 };
  if (wireType === wireTypes.fixed32) return { start, end: start + 4 };
  if (wireType === wireTypes.varint) {
    const value = readVarint(window, start, limit, varintBytes);
    return 'problem' in value ? value : { start, end: value.end };
  }
  if (wireType !== wireTypes.bytes) return { problem: 'garbage', offset: start, neededBytes: 0 };
  const length = readVarint(window, start, limit, shortVarintBytes);
  return 'problem' in length ? length : { start: length.end, end: length.end + length.value };
}

/** A value above 2^53 is not exact; only tags and lengths are looked at, and those are shorter. */
function readVarint(
  window: ByteWindow,
  offset: number,
  limit: number,
  mostBytes: number,
): { value: number; end: number } | WireProblem {
  let value = 0;
  let scale = 1;
  for (let at = offset; at < offset + mostBytes; at += 1) {
    if (at >= limit) return { problem: 'cut-off', offset, neededBytes: at + 1 };
    const byte = window.bytes[at - window.start] ?? 0;
    value += (byte & 0x7f) * scale;
    scale *= 128;
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return { problem: 'garbage', offset, neededBytes: 0 };
}
