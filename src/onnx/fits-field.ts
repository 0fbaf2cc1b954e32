import type { Field } from './known-fields.js';
import { type ByteWindow, type WireField, wireTypes } from './wire-reader.js';

/**
 * Says whether an occurrence of a known field is one that its decoder reads to the end and no further.
 *
 * The decoder looks at tags only: numbers of another kind, or packed ones that do not end where their field ends, would
 * shift all that follows.
 *
 * @param window - Where the bytes are; it may move.
 * @param field - What the field is.
 * @param wire - How it is stored here.
 * @param isHole - Whether its content must not be read; packed varints are then taken on trust until they are.
 * @returns Whether it fits.
 */
export function fitsField(window: ByteWindow, field: Field, wire: WireField, isHole: boolean): boolean {
  const sizeBytes = wire.end - wire.start;
  const isPacked = field.isList && wire.wireType === wireTypes.bytes;
  switch (field.kind) {
    case 'int32':
      if (isPacked) return isHole || endsAllVarints(window, wire, true);
      return wire.wireType === wireTypes.varint && isInt32Length(sizeBytes);
    case 'int64':
    case 'uint64':
      if (isPacked) return isHole || endsAllVarints(window, wire, false);
      return wire.wireType === wireTypes.varint;
    case 'float':
      return isPacked ? sizeBytes % 4 === 0 : wire.wireType === wireTypes.fixed32;
    case 'double':
      return isPacked ? sizeBytes % 8 === 0 : wire.wireType === wireTypes.fixed64;
    default:
      return wire.wireType === wireTypes.bytes;
  }
}

/** Protobufjs takes a varint of 32 bits that is longer than 5 bytes for one of 10, as negative numbers have it. */
function isInt32Length(sizeBytes: number): boolean {
  return sizeBytes <= 5 || sizeBytes === 10;
}

/** Whether no packed varint is cut off or too long. */
function endsAllVarints(window: ByteWindow, { start, end }: WireField, areInt32: boolean): boolean {
  let begin = start;
  for (let at = start; at < end; at += 1) {
    if (at < window.start || at >= window.end) window.seek(at, 1);
    if ((window.bytes[at - window.start] ?? 0) >= 0x80) continue;
    const sizeBytes = at + 1 - begin;
    if (sizeBytes > 10 || (areInt32 && !isInt32Length(sizeBytes))) return false;
    begin = at + 1;
  }
  return begin === end;
}
