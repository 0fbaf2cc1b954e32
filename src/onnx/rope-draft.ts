import { encodeTag, encodeVarint } from './encode-varint.js';
import { type Piece, pieceBytes } from './piece.js';
import { memoryAt, type SourceBytes } from './source-bytes.js';
import type { FileRange } from './tensor-content.js';

/** Tag and length of a message that is being written, known once its end is. */
export type Head = { readonly kind: 'head'; sizeBytes: number; readonly from: number | OldHead };

/** Tag and length in the source; the tag is copied, and so is the length where it is still right. */
export type OldHead = {
  /** Where the tag begins. */
  readonly offset: number;
  /** Where the length begins. */
  readonly lengthOffset: number;
  /** Where the message is. */
  readonly start: number;
  readonly end: number;
};

/** A tensor's bytes from a file. */
export type Range = Extract<Piece, { kind: 'range' }>;
/** New bytes. */
export type Bytes = Extract<Piece, { kind: 'bytes' }>;
/** Bytes of the source; it grows while what follows there is added. */
export type Source = { readonly kind: 'source'; readonly start: number; end: number };
/** Bytes of a chunk; it grows while what follows there is added. */
type Chunked = { readonly kind: 'chunk'; readonly chunk: Uint8Array; readonly start: number; end: number };
/** A stretch of what is to be written. */
export type Part = Source | Bytes | Chunked | Range | Head;

/** What is to be written, from its beginning on; lengths are filled in when messages end. */
export type RopeDraft = {
  readonly source: SourceBytes;
  readonly parts: Part[];
  sizeBytes: number;
  /** Small bytes are put together here: thousands of small records must not stay thousands of objects. */
  chunk: Uint8Array;
  /** How much of it is in use. */
  usedBytes: number;
};

/** Messages and bytes up to this size are put together. */
export const smallBytes = 4096;
/** As many of them as are put together in one. */
export const chunkBytes = 256 * 1024;
const scratch = new Uint8Array(smallBytes);

/**
 * Begins a draft.
 *
 * @param source - The file that is copied from.
 * @returns A draft of no bytes.
 */
export function beginDraft(source: SourceBytes): RopeDraft {
  return { source, parts: [], sizeBytes: 0, chunk: new Uint8Array(0), usedBytes: 0 };
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

/**
 * Adds bytes of the source to parts; neighbours become one.
 *
 * @param parts - Changed in place.
 * @param start - Where they begin in the source.
 * @param end - Where they end.
 */
export function pushSource(parts: Part[], start: number, end: number): void {
  const last = parts.at(-1);
  if (last?.kind === 'source' && last.end === start) last.end = end;
  else if (start < end) parts.push({ kind: 'source', start, end });
}

/**
 * Adds new bytes.
 *
 * @param draft - What they are added to.
 * @param bytes - Large ones are not copied.
 */
export function addBytes(draft: RopeDraft, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  draft.sizeBytes += bytes.length;
  if (bytes.length > smallBytes) draft.parts.push({ kind: 'bytes', bytes });
  else pushSmall(draft, bytes);
}

function pushSmall(draft: RopeDraft, bytes: Uint8Array): void {
  if (draft.usedBytes + bytes.length > draft.chunk.length) {
    draft.chunk = new Uint8Array(chunkBytes);
    draft.usedBytes = 0;
  }
  const { chunk, usedBytes: start, parts } = draft;
  const end = start + bytes.length;
  chunk.set(bytes, start);
  draft.usedBytes = end;
  const last = parts.at(-1);
  if (last?.kind === 'chunk' && last.chunk === chunk && last.end === start) last.end = end;
  else parts.push({ kind: 'chunk', chunk, start, end });
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
  if (!Number.isInteger(sizeBytes)) throw new TypeError(`half of ${range.sizeBytes} bytes`);
  if (sizeBytes === 0) return;
  draft.sizeBytes += sizeBytes;
  draft.parts.push({ kind: 'range', range, form });
}

/**
 * Adds a message whose length is not known before it is written.
 *
 * @param draft - What it is added to.
 * @param from - Where it is in the source, or the number of its field when it is new.
 * @param write - Adds its content.
 */
export function addMessage(draft: RopeDraft, from: number | OldHead, write: () => void): void {
  const { parts, chunk, usedBytes, sizeBytes: before } = draft;
  const head: Head = { kind: 'head', sizeBytes: 0, from };
  const first = parts.push(head) - 1;
  write();
  head.sizeBytes = draft.sizeBytes - before;
  draft.sizeBytes += headBytes(head);
  const whole = draft.sizeBytes - before <= smallBytes ? flatten(draft, first) : undefined;
  if (whole === undefined) return;
  parts.length = first;
  if (draft.chunk === chunk) draft.usedBytes = usedBytes;
  pushSmall(draft, whole);
}

/** The message as bytes; undefined when they are not all in memory, or when they are one stretch of the source. */
function flatten({ parts, source }: RopeDraft, first: number): Uint8Array | undefined {
  let sizeBytes = 0;
  let isNew = false;
  const copy = (bytes: Uint8Array | undefined): boolean => {
    if (bytes === undefined) return false;
    scratch.set(bytes, sizeBytes);
    sizeBytes += bytes.length;
    return true;
  };
  for (let index = first; index < parts.length; index += 1) {
    const part = parts[index];
    if (part === undefined || part.kind === 'range') return undefined;
    isNew ||= part.kind === 'chunk' || (part.kind === 'head' && !isAsBefore(part));
    if (part.kind === 'head') for (const piece of headPieces(part)) copy(bytesOf(piece, source));
    else if (!copy(bytesOf(part, source))) return undefined;
  }
  return isNew ? scratch.subarray(0, sizeBytes) : undefined;
}

/** Tags and lengths of the source are always in memory. */
function bytesOf(part: Exclude<Part, Head | Range>, source: SourceBytes): Uint8Array | undefined {
  if (part.kind === 'bytes') return part.bytes;
  if (part.kind === 'chunk') return part.chunk.subarray(part.start, part.end);
  return memoryAt(source, part.start, part.end);
}

function headBytes(head: Head): number {
  return headPieces(head).reduce((sum, piece) => sum + pieceBytes(piece), 0);
}

function isAsBefore({ from, sizeBytes }: Head): boolean {
  return typeof from === 'object' && from.end - from.start === sizeBytes;
}

/**
 * Says what a head is made of.
 *
 * @param head - Of a message that has ended.
 * @returns Tag and length.
 */
export function headPieces(head: Head): readonly (Bytes | Source)[] {
  const { from, sizeBytes } = head;
  if (isAsBefore(head) && typeof from === 'object') {
    return [{ kind: 'source', start: from.offset, end: from.start }];
  }
  const length: Bytes = { kind: 'bytes', bytes: encodeVarint(sizeBytes) };
  if (typeof from === 'number') return [{ kind: 'bytes', bytes: encodeTag(from) }, length];
  return [{ kind: 'source', start: from.offset, end: from.lengthOffset }, length];
}
