import { wireTypes } from './wire-reader.js';

const oneByte = Array.from({ length: 0x80 }, (_unused, value) => Uint8Array.of(value));

/**
 * Encodes a number as protobuf's tags and lengths are.
 *
 * @param value - A whole number from 0 on.
 * @returns As few bytes as it takes; not to be changed.
 */
export function encodeVarint(value: number): Uint8Array {
  const known = oneByte[value];
  if (known !== undefined) return known;
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Uint8Array.of(...bytes, rest);
}

/**
 * Encodes the tag of a field with a length: a message, text, bytes or packed numbers.
 *
 * @param number - The number of the field.
 * @returns The tag; not to be changed.
 */
export function encodeTag(number: number): Uint8Array {
  return encodeVarint(number * 8 + wireTypes.bytes);
}
