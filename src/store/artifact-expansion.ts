import { inflateRawSync } from 'node:zlib';
import type { Fields, RecordReader } from './record-fields.js';
import { problemWithPath } from './store-key.js';

/** A stretch of an expanded file; `fileIndex` points into the record's sorted `files`, all numbers are bytes. */
export type ExpansionPart =
  | readonly ['copy', fileIndex: number, offset: number, length: number]
  /** Halves of the artifact, of which FP32 numbers are made: twice as many bytes are written as are read. */
  | readonly ['expand', fileIndex: number, offset: number, length: number]
  | readonly ['literal', offset: number, length: number]
  | readonly ['zeros', length: number];

/** One file of the expanded model. */
export type ExpandedFile = {
  readonly path: string;
  readonly sizeBytes: number;
  /** In the order in which the file is written, without gaps. */
  readonly parts: readonly ExpansionPart[];
};

/** How the FP32 memory-mappable form of a model is made from an artifact's bytes, without reading ONNX. */
export type ArtifactExpansion = {
  /** The file that a session is opened on; one of `files`. */
  readonly entry: string;
  /** The bytes that the artifact does not hold: Base64 of their raw deflate stream; empty when there are none. */
  readonly literals: string;
  readonly files: readonly ExpandedFile[];
};

/** More bytes than the structure of any model has: literals are held in memory. */
const mostLiteralBytes = 256 * 1024 ** 2;

/** What a plan may point into: the sizes of the record's files, in their order. */
type Ground = { readonly sizes: readonly number[]; readonly reader: RecordReader };

/**
 * Checks the plan of an artifact record, trusting none of it: every range lies inside its file, and the parts of a file
 * add up to its size.
 *
 * @param fields - The plan's fields.
 * @param sizes - Sizes of the record's files in their order, bytes.
 * @param reader - Refuses the document it is part of.
 * @returns The plan.
 * @throws `record-wrong` naming the first field that is wrong.
 */
export function checkExpansion(
  fields: Fields,
  sizes: readonly number[],
  reader: RecordReader,
): ArtifactExpansion {
  const files = reader
    .list(fields.files, '`expansion.files`')
    .map((item) => checkExpandedFile(item, { sizes, reader }));
  const paths = new Set(files.map((file) => file.path));
  if (paths.size !== files.length) reader.refuse('`expansion.files` has a path twice');
  const entry = reader.text(fields.entry, '`expansion.entry`');
  if (!paths.has(entry)) reader.refuse(`\`expansion.entry\` ${entry} is not one of \`expansion.files\``);
  const { literals } = fields;
  if (typeof literals !== 'string' || !isBase64(literals)) {
    reader.refuse('`expansion.literals` is no Base64');
  }
  const expansion = { entry, literals, files };
  const literalBytes = countLiteralBytes(expansion);
  if (literalBytes > mostLiteralBytes) {
    reader.refuse(`\`expansion.literals\` would have ${literalBytes} bytes, expected ≤ ${mostLiteralBytes}`);
  }
  if ((literals === '') !== (literalBytes === 0)) {
    reader.refuse('`expansion.literals` does not fit the parts that use it');
  }
  return expansion;
}

/** Faster than to look at each character by a pattern; what is not as it would be written is refused too. */
function isBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text;
}

function checkExpandedFile(item: unknown, { sizes, reader }: Ground): ExpandedFile {
  const file = reader.fields(item, 'an item of `expansion.files`');
  const path = reader.text(file.path, '`path` of an expanded file');
  const problem = path === 'artifact.json' ? 'it is the record itself' : problemWithPath(path);
  if (problem !== undefined) reader.refuse(`the expanded file path "${path}" is not possible: ${problem}`);
  const sizeBytes = reader.count(file.sizeBytes, `\`sizeBytes\` of the expanded ${path}`);
  const parts = reader
    .list(file.parts, `\`parts\` of ${path}`)
    .map((part, index) => checkPart(part, `part ${index} of ${path}`, { sizes, reader }));
  const sum = parts.reduce((total, part) => total + partBytes(part), 0);
  if (sum !== sizeBytes) {
    reader.refuse(`the parts of the expanded ${path} have ${sum} bytes, its \`sizeBytes\` is ${sizeBytes}`);
  }
  return { path, sizeBytes, parts };
}

function checkPart(item: unknown, name: string, { sizes, reader }: Ground): ExpansionPart {
  const [kind, ...values] = reader.list(item, name);
  const numbers = values.map((value) => reader.count(value, `a number of ${name}`));
  const [first = 0, second = 0, third = 0] = numbers;
  const chosen = reader.choice(kind, `the kind of ${name}`, ['copy', 'expand', 'literal', 'zeros']);
  const expected = { copy: 3, expand: 3, literal: 2, zeros: 1 }[chosen];
  if (numbers.length !== expected) {
    reader.refuse(`${name} has ${numbers.length} numbers, expected ${expected}`);
  }
  if (chosen === 'zeros') return [chosen, first];
  if (chosen === 'literal') return [chosen, first, second];
  const sizeBytes = sizes[first];
  if (sizeBytes === undefined) return reader.refuse(`${name} is of file ${first}, of ${sizes.length}`);
  if (second + third > sizeBytes) reader.refuse(`${name} ends beyond its file of ${sizeBytes} bytes`);
  if (chosen === 'expand' && third % 2 !== 0) reader.refuse(`${name} expands half a number`);
  return [chosen, first, second, third];
}

/**
 * Says how much a part takes in the file that is written.
 *
 * @param part - The part.
 * @returns Bytes.
 */
export function partBytes(part: ExpansionPart): number {
  const [kind] = part;
  if (kind === 'zeros') return part[1];
  if (kind === 'literal') return part[2];
  return kind === 'expand' ? 2 * part[3] : part[3];
}

/**
 * Unpacks the bytes that literal parts point into.
 *
 * @param expansion - A checked plan.
 * @param reader - Refuses the document it is part of.
 * @returns As many bytes as the parts need, no more.
 * @throws `record-wrong` when the stream is broken, or holds another number of bytes.
 */
export function inflateLiterals(expansion: ArtifactExpansion, reader: RecordReader): Uint8Array {
  const sizeBytes = countLiteralBytes(expansion);
  if (sizeBytes === 0) return new Uint8Array();
  let bytes: Uint8Array;
  try {
    bytes = inflateRawSync(Buffer.from(expansion.literals, 'base64'), { maxOutputLength: sizeBytes });
  } catch (cause) {
    return reader.refuse(`\`expansion.literals\` is no deflate stream of ${sizeBytes} bytes`, cause);
  }
  if (bytes.length === sizeBytes) return bytes;
  return reader.refuse(`\`expansion.literals\` holds ${bytes.length} bytes, its parts need ${sizeBytes}`);
}

function countLiteralBytes({ files }: ArtifactExpansion): number {
  let end = 0;
  for (const { parts } of files) {
    for (const part of parts) if (part[0] === 'literal') end = Math.max(end, part[1] + part[2]);
  }
  return end;
}
