import { decodeTensor } from './decode-tensor.js';
import { knownFields, type MessageKind } from './known-fields.js';
import { mergeInto } from './merge-messages.js';
import { codecOf, type ModelProto } from './proto.js';
import { hasHole, memoryAt, type SourceBytes, windowOverSource } from './source-bytes.js';
import { type ByteWindow, readField } from './wire-reader.js';

/**
 * Decodes a model whose large payloads stay in its file.
 *
 * What is in memory without a gap is decoded in one go; only messages around a payload are taken apart.
 *
 * @param source - The model file, scanned without a problem.
 * @returns The model; tensors whose payload is not in memory say where it is.
 * @throws Whatever the codecs throw.
 * @see storedAt
 */
export function decodeModel(source: SourceBytes): ModelProto {
  return decodeMessage(source, windowOverSource(source), 'ModelProto', 0, source.sizeBytes) as ModelProto;
}

function decodeMessage(
  source: SourceBytes,
  window: ByteWindow,
  kind: MessageKind,
  start: number,
  end: number,
): object {
  const bytes = memoryAt(source, start, end);
  if (bytes !== undefined) return codecOf[kind].decode(bytes);
  if (kind === 'TensorProto') return decodeTensor(source, window, start, end);
  const message = codecOf[kind].decode(new Uint8Array(0));
  let begin = start;
  for (let offset = start; offset < end; ) {
    const wire = readField(window, offset, end);
    if ('problem' in wire) throw new RangeError(`no field at byte ${offset}`);
    const field = knownFields[kind][wire.number];
    if (field?.isMessage === true && hasHole(source, wire.start, wire.end)) {
      mergeInto(message, decodeMessage(source, window, kind, begin, offset));
      const child = decodeMessage(source, window, field.kind, wire.start, wire.end);
      mergeInto(message, { [field.name]: field.isList ? [child] : child });
      begin = wire.end;
    }
    offset = wire.end;
  }
  mergeInto(message, decodeMessage(source, window, kind, begin, end));
  return message;
}
