import { type FieldKind, knownFields } from './known-fields.js';
import { readField, type WireField, type WireProblem, wireTypes } from './wire-reader.js';

/** Fields that onnx-proto does not know, at one place: `path` is the chain of messages, such as `ModelProto/GraphProto`. */
export type UnknownField = { readonly path: string; readonly field: number; readonly count: number };

/** How deep messages may nest; protobuf itself stops at 100 in most languages. */
export const depthLimit = 256;

/** What a look at all fields of a message found. */
export type FieldScan = {
  readonly unknownFields: readonly UnknownField[];
  /** Top-level fields that are known and well formed, before any problem. */
  readonly goodFields: number;
  /** Bytes of them. */
  readonly goodBytes: number;
  readonly problem:
    | (WireProblem & { readonly message: string; readonly depth: number })
    | 'too-deep'
    | undefined;
};

type Frame = { readonly message: string; readonly path: string; offset: number; readonly end: number };

/**
 * Walks all fields of a message and of the messages in it, decoding nothing.
 *
 * @param bytes - The encoded message.
 * @param message - Its name in the table of known fields.
 * @returns What was found; the walk ends at the first problem.
 */
export function scanFields(bytes: Uint8Array, message: string): FieldScan {
  const counts = new Map<string, UnknownField>();
  const frames: Frame[] = [{ message, path: message, offset: 0, end: bytes.length }];
  let goodFields = 0;
  let goodBytes = 0;
  const scan = (problem: FieldScan['problem']): FieldScan => ({
    unknownFields: [...counts.values()],
    goodFields,
    goodBytes,
    problem,
  });
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const depth = frames.length;
    if (depth === 1) goodBytes = frame.offset;
    if (frame.offset >= frame.end) {
      frames.pop();
      continue;
    }
    const field = readField(bytes, frame.offset, frame.end);
    if ('problem' in field) return scan({ ...field, message: frame.message, depth });
    const kind = knownFields[frame.message]?.[field.number];
    if (!fits(kind, field)) {
      const problem = { problem: 'garbage', offset: frame.offset, neededBytes: 0 } as const;
      return scan({ ...problem, message: frame.message, depth });
    }
    frame.offset = field.end;
    if (kind === undefined) count(counts, frame.path, field.number);
    else if (depth === 1) goodFields += 1;
    if (kind === undefined || knownFields[kind] === undefined) continue;
    if (depth >= depthLimit) return scan('too-deep');
    frames.push({ message: kind, path: `${frame.path}/${kind}`, offset: field.start, end: field.end });
  }
  return scan(undefined);
}

function fits(kind: FieldKind | undefined, field: WireField): boolean {
  if (kind === undefined) return true;
  if (kind === 'varint') return field.wireType === wireTypes.varint;
  if (kind === 'fixed32') return field.wireType === wireTypes.fixed32;
  if (kind === 'fixed64') return field.wireType === wireTypes.fixed64;
  return kind === 'packed' || field.wireType === wireTypes.bytes;
}

function count(counts: Map<string, UnknownField>, path: string, field: number): void {
  const key = `${path} ${field}`;
  counts.set(key, { path, field, count: (counts.get(key)?.count ?? 0) + 1 });
}
