import { closeSync, openSync } from 'node:fs';
import { readExactly, windowOver } from './byte-window.js';
import { mergeInto } from './merge-messages.js';
import { codecs, type TensorProto } from './proto.js';
import { scanFields } from './scan-fields.js';
import { memoryAt, type SourceBytes } from './source-bytes.js';
import { noteStored } from './stored-payload.js';
import { isPayloadField, payloadFields } from './tensor-fields.js';
import { type ByteWindow, readField, type WireField } from './wire-reader.js';

/**
 * Decodes a tensor around its payload, which stays in the file.
 *
 * @param source - The model file.
 * @param window - Over what of it is in memory.
 * @param start - Where the tensor's content begins, at least one hole in it.
 * @param end - Where it ends.
 * @returns The tensor, which says where its payload is; one that spreads its elements over several fields is read whole.
 * @throws Whatever the codec throws; RangeError when such a tensor is damaged.
 */
export function decodeTensor(
  source: SourceBytes,
  window: ByteWindow,
  start: number,
  end: number,
): TensorProto {
  const payloads = listPayloads(window, start, end);
  const [only] = payloads;
  if (only === undefined || payloads.length > 1) return decodeWhole(source, start, end);
  const tensor = codecs.TensorProto.create();
  // The field's tag and length are in memory before the hole; they are left out with it.
  for (const [from, to] of [
    [start, only.offset],
    [only.end, end],
  ] as const) {
    const bytes = memoryAt(source, from, to);
    if (bytes === undefined) throw new RangeError(`bytes ${from}..${to} are not in memory`);
    mergeInto(tensor, codecs.TensorProto.decode(bytes));
  }
  noteStored(tensor, { field: only.number, offset: only.start, sizeBytes: only.end - only.start });
  return tensor;
}

type PayloadField = WireField & { readonly offset: number };

/** Fields with elements: an empty list of numbers has none; an empty `raw_data` counts, as the last of several wins. */
function listPayloads(window: ByteWindow, start: number, end: number): PayloadField[] {
  const payloads: PayloadField[] = [];
  for (let offset = start; offset < end; ) {
    const wire = readField(window, offset, end);
    if ('problem' in wire) throw new RangeError(`no field at byte ${offset}`);
    const mayBeEmpty = wire.number === payloadFields.raw || wire.number === payloadFields.strings;
    const isEmpty = wire.start === wire.end && !mayBeEmpty;
    if (isPayloadField('TensorProto', wire.number) && !isEmpty) payloads.push({ ...wire, offset });
    offset = wire.end;
  }
  return payloads;
}

function decodeWhole(source: SourceBytes, start: number, end: number): TensorProto {
  const bytes = Buffer.allocUnsafe(end - start);
  const fd = openSync(source.path, 'r');
  try {
    readExactly(fd, bytes, start);
  } finally {
    closeSync(fd);
  }
  const { problem } = scanFields(windowOver(bytes), bytes.length, 'TensorProto', Number.POSITIVE_INFINITY);
  if (problem !== undefined) throw new RangeError(`the tensor at byte ${start} is damaged`);
  return codecs.TensorProto.decode(bytes);
}
