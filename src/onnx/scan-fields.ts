import { fitsField } from './fits-field.js';
import { type FieldTable, knownFields, type MessageKind } from './known-fields.js';
import { isPayloadField } from './tensor-fields.js';
import { type ByteWindow, readField, type WireField, type WireProblem, wireTypes } from './wire-reader.js';

/** Fields that onnx-proto does not know, at one place: `path` is the chain of messages, such as `ModelProto/GraphProto`. */
export type UnknownField = { readonly path: string; readonly field: number; readonly count: number };

/** How deep messages may nest; protobuf itself stops at 100 in most languages. */
export const depthLimit = 256;

/** A payload that was not read: the content of one field, in bytes from the beginning of the file. */
export type Hole = { readonly start: number; readonly end: number };

/** What a look at all fields of a message found. */
export type FieldScan = {
  readonly unknownFields: readonly UnknownField[];
  /** Top-level fields that are known and well formed, before any problem. */
  readonly goodFields: number;
  /** In the order of the file. */
  readonly holes: readonly Hole[];
  readonly problem:
    | (WireProblem & { readonly message: string; readonly depth: number })
    | 'too-deep'
    | undefined;
};

type Frame = {
  readonly kind: MessageKind;
  readonly fields: FieldTable;
  readonly path: string;
  offset: number;
  readonly end: number;
};

/**
 * Walks all fields of a message and of the messages in it, decoding nothing.
 *
 * @param window - Where the bytes are.
 * @param sizeBytes - The message is the bytes from offset 0 to here.
 * @param message - Which message it is.
 * @param holeBytes - Payload fields of tensors that are longer than this are jumped over and not read; Infinity reads all.
 * @returns What was found; the walk ends at the first problem.
 */
export function scanFields(
  window: ByteWindow,
  sizeBytes: number,
  message: MessageKind,
  holeBytes: number,
): FieldScan {
  const counts = new Map<string, UnknownField>();
  const holes: Hole[] = [];
  const frames = [frameOf(message, message, 0, sizeBytes)];
  let goodFields = 0;
  const scan = (problem: FieldScan['problem']): FieldScan => ({
    ...{ unknownFields: [...counts.values()], goodFields, holes, problem },
  });
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const depth = frames.length;
    if (frame.offset >= frame.end) {
      frames.pop();
      continue;
    }
    const wire = readField(window, frame.offset, frame.end);
    if ('problem' in wire) return scan({ ...wire, message: frame.kind, depth });
    const field = frame.fields[wire.number];
    const isHole = isPayload(frame.kind, wire) && wire.end - wire.start > holeBytes;
    if (field !== undefined && !fitsField(window, field, wire, isHole)) {
      const problem = { problem: 'garbage', offset: frame.offset, neededBytes: 0 } as const;
      return scan({ ...problem, message: frame.kind, depth });
    }
    frame.offset = wire.end;
    if (isHole) holes.push({ start: wire.start, end: wire.end });
    if (field === undefined) count(counts, frame.path, wire.number);
    else if (depth === 1) goodFields += 1;
    if (field?.isMessage !== true) continue;
    if (depth >= depthLimit) return scan('too-deep');
    frames.push(frameOf(field.kind, `${frame.path}/${field.kind}`, wire.start, wire.end));
  }
  return scan(undefined);
}

function frameOf(kind: MessageKind, path: string, offset: number, end: number): Frame {
  return { kind, fields: knownFields[kind], path, offset, end };
}

function isPayload(kind: MessageKind, { number, wireType }: WireField): boolean {
  return wireType === wireTypes.bytes && isPayloadField(kind, number);
}

function count(counts: Map<string, UnknownField>, path: string, field: number): void {
  const key = `${path} ${field}`;
  counts.set(key, { path, field, count: (counts.get(key)?.count ?? 0) + 1 });
}
