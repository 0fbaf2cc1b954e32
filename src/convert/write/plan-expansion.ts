import { deflateRawSync } from 'node:zlib';
import type { Piece } from '../../onnx/piece.js';
import { memoryAt, type SourceBytes } from '../../onnx/source-bytes.js';
import type { FileRange } from '../../onnx/tensor-content.js';
import type { ArtifactExpansion, ExpandedFile, ExpansionPart } from '../../store/artifact-expansion.js';
import { rangeKey } from '../plan/weight.js';
import { type ByteMap, type Located, locateBytes, type WrittenFile } from './locate-bytes.js';

/** What an expansion is planned from. */
export type ExpansionParts = {
  readonly source: SourceBytes;
  /** The artifact's files. */
  readonly written: readonly WrittenFile[];
  /** The files of the expanded model, the one that a session is opened on first. */
  readonly wanted: readonly WrittenFile[];
  /** Ranges of weights that another one stands for, by the key of the range that is not in the artifact. */
  readonly ties: ReadonlyMap<string, FileRange>;
};

type Planning = {
  readonly source: SourceBytes;
  readonly bytes: ByteMap;
  readonly ties: ReadonlyMap<string, FileRange>;
  readonly fileIndex: (name: string) => number;
  readonly literals: Uint8Array[];
  literalBytes: number;
};

/**
 * Plans how the files of an expanded model are made from those of an artifact: what is copied, what is expanded, and the
 * bytes that the artifact does not hold.
 *
 * @param parts - The artifact, and the model wanted.
 * @returns The plan, its files indexed in the order of their sorted names.
 */
export function planExpansion({ source, written, wanted, ties }: ExpansionParts): ArtifactExpansion {
  const names = written.map(({ name }) => name).sort((left, right) => (left < right ? -1 : 1));
  const planning: Planning = {
    ...{ source, ties, literals: [], literalBytes: 0 },
    bytes: locateBytes(written, source.path),
    fileIndex: (name) => names.indexOf(name),
  };
  const files = wanted.map(({ name, rope }): ExpandedFile => {
    const parts: ExpansionPart[] = [];
    for (const piece of rope.pieces) {
      for (const part of planPiece(piece, planning)) addPart(parts, part);
    }
    return { path: name, sizeBytes: rope.sizeBytes, parts };
  });
  const literals = planning.literals.length === 0 ? '' : deflate(planning.literals);
  return { entry: files[0]?.path ?? '', literals, files };
}

function deflate(literals: readonly Uint8Array[]): string {
  return deflateRawSync(Buffer.concat(literals)).toString('base64');
}

function planPiece(piece: Piece, planning: Planning): readonly ExpansionPart[] {
  if (piece.kind === 'source') return planCopies(planning.source.path, piece.start, piece.end, planning);
  if (piece.kind === 'bytes') return [literal(piece.bytes, planning)];
  const range = planning.ties.get(rangeKey(piece.range)) ?? piece.range;
  const half = planning.bytes.findHalf(range);
  // An output that is a tensor may be FP16 in the expanded model too.
  if (half !== undefined) return [pointAt(piece.form === 'half' ? 'copy' : 'expand', half, planning)];
  return planCopies(range.path, range.offset, range.offset + range.sizeBytes, planning);
}

/** Copied where the artifact has the bytes; what it does not have was structure, and is in memory. */
function planCopies(path: string, from: number, end: number, planning: Planning): ExpansionPart[] {
  const parts: ExpansionPart[] = [];
  for (let start = from; start < end; ) {
    const found = planning.bytes.findCopy(path, start, end);
    if (found !== undefined) {
      parts.push(pointAt('copy', found, planning));
      start += found.sizeBytes;
      continue;
    }
    const next = planning.bytes.nextCopy(path, start, end);
    const bytes = path === planning.source.path ? memoryAt(planning.source, start, next) : undefined;
    if (bytes === undefined) throw new Error(`Bytes ${start}..${next} of ${path} are not in the artifact`);
    parts.push(literal(bytes, planning));
    start = next;
  }
  return parts;
}

function pointAt(
  kind: 'copy' | 'expand',
  { file, offset, sizeBytes }: Located,
  planning: Planning,
): ExpansionPart {
  return [kind, planning.fileIndex(file), offset, sizeBytes];
}

function literal(bytes: Uint8Array, planning: Planning): ExpansionPart {
  if (bytes.every((byte) => byte === 0)) return ['zeros', bytes.length];
  planning.literals.push(bytes);
  planning.literalBytes += bytes.length;
  return ['literal', planning.literalBytes - bytes.length, bytes.length];
}

/** Joins a part to the one before where they are one stretch. */
function addPart(parts: ExpansionPart[], part: ExpansionPart): void {
  if (part.at(-1) === 0) return;
  const last = parts.at(-1);
  const joined = last === undefined ? undefined : joinParts(last, part);
  if (joined === undefined) parts.push(part);
  else parts[parts.length - 1] = joined;
}

function joinParts(left: ExpansionPart, right: ExpansionPart): ExpansionPart | undefined {
  if (left[0] === 'copy' && right[0] === 'copy') {
    const [, file, offset, length] = left;
    return file === right[1] && offset + length === right[2]
      ? ['copy', file, offset, length + right[3]]
      : undefined;
  }
  if (left[0] === 'literal' && right[0] === 'literal' && left[1] + left[2] === right[1]) {
    return ['literal', left[1], left[2] + right[2]];
  }
  return left[0] === 'zeros' && right[0] === 'zeros' ? ['zeros', left[1] + right[1]] : undefined;
}
