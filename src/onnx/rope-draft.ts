import type { Piece, Rope } from './piece.js';
import { memoryAt, type SourceBytes } from './source-bytes.js';
import type { FileRange } from './tensor-content.js';

/** The length of a message that is being written, known once its end is. */
type Length = {
  readonly kind: 'length';
  sizeBytes: number;
  /** The length in the source and what it says; kept as it is where it is still right. */
  readonly was: OldLength | undefined;
};

/** Where the length of a message is in the source. */
export type OldLength = { readonly start: number; readonly end: number; readonly sizeBytes: number };

type Range = Extract<Piece, { kind: 'range' }>;
type Part = { readonly kind: 'source'; readonly start: number; end: number } | BytesPiece | Range | Length;
type BytesPiece = Extract<Piece, { kind: 'bytes' }>;

/** What is to be written, from its beginning on; lengths are filled in when messages end. */
export type RopeDraft = { readonly parts: Part[]; sizeBytes: number };

/** Pieces up to this size are put together in one, so that edits of many small records stay few pieces. */
const smallBytes = 4096;
const gatheredBytes = 1 << 20;

/**
 * Begins a draft.
 *
 * @returns A draft of no bytes.
 */
export function beginDraft(): RopeDraft {
  return { parts: [], sizeBytes: 0 };
}

/**
 * Adds bytes of the source as they are.
 *
 * @param draft - What they are added to.
 * @param start - Where they begin in the source.
 * @param end - Where they end.
 */
export function addSource(draft: RopeDraft, start: number, end: number): void {
  draft.sizeBytes += end - start;
  pushSource(draft.parts, start, end);
}

function pushSource(parts: Part[], start: number, end: number): void {
  const last = parts.at(-1);
  if (last?.kind === 'source' && last.end === start) last.end = end;
  else if (start < end) parts.push({ kind: 'source', start, end });
}

/**
 * Adds new bytes.
 *
 * @param draft - What they are added to.
 * @param bytes - They are not copied.
 */
export function addBytes(draft: RopeDraft, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  draft.sizeBytes += bytes.length;
  draft.parts.push({ kind: 'bytes', bytes });
}

/**
 * Adds a tensor's bytes from a file.
 *
 * @param draft - What they are added to.
 * @param range - Where they are.
 * @param form - Whether FP32 is rounded to FP16.
 * @param sizeBytes - What they take where they are written.
 */
export function addRange(draft: RopeDraft, range: FileRange, form: Range['form'], sizeBytes: number): void {
  if (sizeBytes === 0) return;
  draft.sizeBytes += sizeBytes;
  draft.parts.push({ kind: 'range', range, form });
}

/**
 * Adds a message whose length is not known before it is written.
 *
 * @param draft - What it is added to.
 * @param was - Its length in the source; undefined for a new message.
 * @param write - Adds its content.
 */
export function addMessage(draft: RopeDraft, was: OldLength | undefined, write: () => void): void {
  const length: Length = { kind: 'length', sizeBytes: 0, was };
  draft.parts.push(length);
  const before = draft.sizeBytes;
  write();
  length.sizeBytes = draft.sizeBytes - before;
  draft.sizeBytes += isAsBefore(length)
    ? length.was.end - length.was.start
    : encodeVarint(length.sizeBytes).length;
}

function isAsBefore(length: Length): length is Length & { was: OldLength } {
  return length.was?.sizeBytes === length.sizeBytes;
}

/**
 * Encodes a number as protobuf's tags and lengths are.
 *
 * @param value - A whole number from 0 on.
 * @returns As few bytes as it takes.
 */
export function encodeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Uint8Array.of(...bytes, rest);
}

/**
 * Turns a draft into the pieces that are written.
 *
 * @param draft - All messages of it ended.
 * @param source - The file that is copied from.
 * @returns Few pieces: neighbours in the source are one, and so are small ones that follow each other.
 */
export function finishRope(draft: RopeDraft, source: SourceBytes): Rope {
  const known: Part[] = [];
  for (const part of draft.parts) {
    if (part.kind === 'source') pushSource(known, part.start, part.end);
    else if (part.kind !== 'length') known.push(part);
    else if (isAsBefore(part)) pushSource(known, part.was.start, part.was.end);
    else known.push({ kind: 'bytes', bytes: encodeVarint(part.sizeBytes) });
  }
  return { pieces: gather(known as Piece[], source), sizeBytes: draft.sizeBytes };
}

function gather(parts: readonly Piece[], source: SourceBytes): Piece[] {
  const pieces: Piece[] = [];
  let small: Uint8Array[] = [];
  let only: Piece | undefined;
  let size = 0;
  const flush = (): void => {
    if (only !== undefined && small.length === 1) pieces.push(only);
    else if (size > 0) pieces.push({ kind: 'bytes', bytes: Buffer.concat(small, size) });
    small = [];
    size = 0;
  };
  for (const part of parts) {
    const bytes = smallBytesOf(part, source);
    if (bytes === undefined || size + bytes.length > gatheredBytes) flush();
    if (bytes === undefined) {
      pieces.push(part);
      continue;
    }
    small.push(bytes);
    size += bytes.length;
    only = part;
  }
  flush();
  return pieces;
}

function smallBytesOf(part: Piece, source: SourceBytes): Uint8Array | undefined {
  if (part.kind === 'bytes') return part.bytes.length <= smallBytes ? part.bytes : undefined;
  if (part.kind === 'range' || part.end - part.start > smallBytes) return undefined;
  return memoryAt(source, part.start, part.end);
}
