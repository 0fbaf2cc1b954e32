import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { hashBytes, hashFile } from '../lib/sha256.js';
import {
  engines,
  inferencePrecisions,
  layouts,
  nameVariant,
  precisions,
  type Variant,
} from '../lib/variant.js';
import { OptimiseModelError } from '../messages/error.js';
import { type ArtifactExpansion, checkExpansion } from './artifact-expansion.js';
import { refuseTooLarge } from './document-limit.js';
import { explainMissingRecord } from './explain-missing-record.js';
import { type Fields, RecordReader } from './record-fields.js';
import { refuseUnlessFile } from './refuse-unless-file.js';
import { checkNeed, type RuntimeNeed } from './runtime-need.js';
import { problemWithPath } from './store-key.js';

/** One file of an artifact; `path` is relative to `artifact.json`, with `/`. */
export type ArtifactFile = {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
};

/**
 * The largest object that S3 takes, 48.8 TiB: 10,000 parts of 5 GiB. A record that says more is none of ours.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
 */
const largestObjectBytes = 10_000 * 5 * 1024 ** 3;

/** What an artifact was made from and how; no times, so that the same work gives the same record. */
type Provenance = {
  readonly toolVersion: string;
  /** File name of the source model, without its folder. */
  readonly sourceName: string;
  readonly sourceSizeBytes: number;
  /** Null where nobody had asked for it: reading the source once more takes as long as converting it. */
  readonly sourceSha256: string | null;
  /** The options of the conversion that shape the result. */
  readonly options: Readonly<Record<string, string | number | boolean | readonly string[]>>;
};

/** What is known of an artifact; the part of its record that releases repeat. */
export type ArtifactSummary = {
  readonly schemaVersion: 1;
  readonly kind: 'artifact';
  readonly variant: Variant;
  /** The file that a session is opened on; one of `files`. */
  readonly entry: string;
  /** All files but `artifact.json`, sorted by path. */
  readonly files: readonly ArtifactFile[];
  /** SHA-256 over the sorted (path, size, SHA-256) list: the artifact's name in a store. */
  readonly digest: string;
  /** Sum of the files, bytes. */
  readonly sizeBytes: number;
  /** What the same model takes with every stored half expanded to FP32, bytes. */
  readonly expandedSizeBytes: number;
  readonly requires: RuntimeNeed;
  readonly provenance: Provenance;
};

/** The content of `artifact.json`: what `convert` writes and every other verb reads. */
export type ArtifactRecord = ArtifactSummary & {
  /** How to make the form of `expandedSizeBytes` from the files. */
  readonly expansion: ArtifactExpansion;
};

/** File name of the record in an artifact's folder; written last, so that a folder with it is complete. */
export const artifactRecordName = 'artifact.json';

/**
 * Gives an artifact its name in a store.
 *
 * @param files - All files but `artifact.json`, in any order.
 * @returns SHA-256, hexadecimal, over the lines `sha256 sizeBytes path` sorted by path in code units.
 */
export function digestFiles(files: readonly ArtifactFile[]): string {
  const sorted = [...files].sort((left, right) => (left.path < right.path ? -1 : 1));
  return hashBytes(sorted.map((file) => `${file.sha256} ${file.sizeBytes} ${file.path}\n`).join(''));
}

/**
 * Reads an `artifact.json`, trusting none of it: paths stay inside the folder, sums, digest and plan must add up.
 *
 * @param text - JSON text.
 * @param where - Its path or address, for messages.
 * @returns The record.
 * @throws `record-wrong` naming the first field that is wrong.
 */
export function parseArtifactRecord(text: string, where: string): ArtifactRecord {
  const reader = new RecordReader(where);
  const fields = reader.open(text, 'artifact');
  const summary = checkArtifactSummary(fields, reader);
  if (fields.expansion === undefined) {
    reader.refuse('`expansion` is missing, an earlier version wrote it; convert the model again');
  }
  const sizes = summary.files.map((file) => file.sizeBytes);
  const expansion = checkExpansion(reader.fields(fields.expansion, '`expansion`'), sizes, reader);
  if (summary.expandedSizeBytes !== expansion.files.reduce((sum, file) => sum + file.sizeBytes, 0)) {
    reader.refuse('`expandedSizeBytes` is not the sum of `expansion.files`');
  }
  return { ...summary, expansion };
}

/**
 * Reads what an `artifact.json` says of its files, whichever version wrote it.
 *
 * @param text - JSON text.
 * @param where - Its path or address, for messages.
 * @returns The record without its plan.
 * @throws `record-wrong` naming the first field that is wrong.
 */
export function parseArtifactSummary(text: string, where: string): ArtifactSummary {
  const reader = new RecordReader(where);
  return checkArtifactSummary(reader.open(text, 'artifact'), reader);
}

/**
 * Checks the fields of an artifact record, all but the plan; in a release the record is without it.
 *
 * @param record - The record's fields.
 * @param reader - Refuses the document it is part of.
 * @returns The record without its plan.
 * @throws `record-wrong` naming the first field that is wrong.
 */
export function checkArtifactSummary(record: Fields, reader: RecordReader): ArtifactSummary {
  const files = reader.list(record.files, '`files`').map((item) => checkFile(item, reader));
  if (new Set(files.map((file) => file.path)).size !== files.length)
    reader.refuse('`files` has a path twice');
  const entry = reader.text(record.entry, '`entry`');
  if (!files.some((file) => file.path === entry)) reader.refuse(`\`entry\` ${entry} is not one of \`files\``);
  const digest = reader.sha256(record.digest, '`digest`');
  if (digest !== digestFiles(files)) reader.refuse('`digest` does not fit `files`');
  const sizeBytes = reader.count(record.sizeBytes, '`sizeBytes`');
  if (sizeBytes !== files.reduce((sum, file) => sum + file.sizeBytes, 0)) {
    reader.refuse('`sizeBytes` is not the sum of `files`');
  }
  const variant = checkVariant(reader.fields(record.variant, '`variant`'), reader);
  const requires = checkNeed(reader.fields(record.requires, '`requires`'), reader);
  // Without it a compiled model would be opened anywhere.
  if (variant.layout === 'blob')
    reader.text(requires.boundTo?.engineVersion, '`requires.boundTo.engineVersion`');
  return {
    schemaVersion: 1,
    kind: 'artifact',
    variant,
    entry,
    files,
    digest,
    sizeBytes,
    expandedSizeBytes: reader.count(record.expandedSizeBytes, '`expandedSizeBytes`'),
    requires,
    provenance: checkProvenance(reader.fields(record.provenance, '`provenance`'), reader),
  };
}

function checkFile(item: unknown, reader: RecordReader): ArtifactFile {
  const file = reader.fields(item, 'an item of `files`');
  const path = reader.text(file.path, '`path` of a file');
  const problem = path === artifactRecordName ? 'it is the record itself' : problemWithPath(path);
  if (problem !== undefined) reader.refuse(`the file path "${path}" is not possible: ${problem}`);
  return {
    path,
    sizeBytes: reader.count(file.sizeBytes, `\`sizeBytes\` of ${path}`, largestObjectBytes),
    sha256: reader.sha256(file.sha256, `\`sha256\` of ${path}`),
  };
}

function checkVariant(variant: Fields, reader: RecordReader): Variant {
  const named = nameVariant({
    precision: reader.choice(variant.precision, '`variant.precision`', precisions),
    engine: reader.choice(variant.engine, '`variant.engine`', engines),
    layout: reader.choice(variant.layout, '`variant.layout`', layouts),
    // Records of 0.1 do not have it.
    inference: reader.choice(variant.inference ?? 'f32', '`variant.inference`', inferencePrecisions),
  });
  reader.choice(variant.id, '`variant.id`', [named.id]);
  return named;
}

function checkProvenance(provenance: Fields, reader: RecordReader): Provenance {
  const options = reader.fields(provenance.options, '`provenance.options`');
  if (!Object.values(options).every(isOption)) {
    reader.refuse('`provenance.options` has a value that is no text, number, boolean or list of texts');
  }
  return {
    toolVersion: reader.text(provenance.toolVersion, '`provenance.toolVersion`'),
    sourceName: reader.text(provenance.sourceName, '`provenance.sourceName`'),
    sourceSizeBytes: reader.count(provenance.sourceSizeBytes, '`provenance.sourceSizeBytes`'),
    sourceSha256:
      provenance.sourceSha256 === null
        ? null
        : reader.sha256(provenance.sourceSha256, '`provenance.sourceSha256`'),
    options: options as Provenance['options'],
  };
}

function isOption(value: unknown): boolean {
  const isListOfTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isListOfTexts || ['string', 'number', 'boolean'].includes(typeof value);
}

/** An artifact's folder on this machine, with its record. */
export type ArtifactFolder = { readonly folder: string; readonly record: ArtifactRecord };

/**
 * Opens an artifact's folder: every file of its record must be there with the right size.
 *
 * @param path - The folder, or the path of its `artifact.json`.
 * @returns The absolute folder and its record.
 * @throws `artifact-wrong` naming everything that is missing or of another size; `record-wrong`.
 */
export async function readArtifactFolder(path: string): Promise<ArtifactFolder> {
  const folder = resolve(basename(path) === artifactRecordName ? dirname(path) : path);
  const recordPath = join(folder, artifactRecordName);
  let text: string;
  try {
    text = await readDocument(recordPath);
  } catch (cause) {
    throw await explainMissingRecord(recordPath, cause);
  }
  const record = parseArtifactRecord(text, recordPath);
  const problems = await Promise.all(record.files.map((file) => problemWithSize(folder, file)));
  refuseIfAny(folder, problems);
  return { folder, record };
}

/**
 * Opens an artifact's folder and compares the content of every file with its record.
 *
 * @param path - The folder, or the path of its `artifact.json`.
 * @param signal - Stops the reading.
 * @returns The absolute folder and its record.
 * @throws `artifact-wrong` naming everything that is missing or different; `record-wrong`.
 */
export async function verifyArtifactFolder(path: string, signal: AbortSignal): Promise<ArtifactFolder> {
  const artifact = await readArtifactFolder(path);
  const problems: (string | undefined)[] = [];
  for (const file of artifact.record.files) {
    const sha256 = await hashFile(join(artifact.folder, file.path), signal);
    if (sha256 !== file.sha256) {
      problems.push(`${file.path} has SHA-256 ${sha256}, its record says ${file.sha256}`);
    }
  }
  refuseIfAny(artifact.folder, problems);
  return artifact;
}

async function readDocument(path: string): Promise<string> {
  const found = await stat(path);
  refuseUnlessFile(path, found);
  refuseTooLarge(path, found.size);
  return readFile(path, 'utf8');
}

async function problemWithSize(folder: string, file: ArtifactFile): Promise<string | undefined> {
  try {
    const found = await stat(join(folder, file.path));
    if (!found.isFile()) return `${file.path} is no file`;
    const { size } = found;
    return size === file.sizeBytes
      ? undefined
      : `${file.path} has ${size} bytes, its record says ${file.sizeBytes}`;
  } catch {
    return `${file.path} is missing`;
  }
}

function refuseIfAny(folder: string, found: readonly (string | undefined)[]): void {
  const problems = found.filter((problem) => problem !== undefined);
  if (problems.length > 0) throw OptimiseModelError.of('artifact-wrong', { folder, problems });
}
