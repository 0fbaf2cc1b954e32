import type { Command } from 'commander';
import {
  accountIdPattern,
  archiveClasses,
  archiveRefusal,
  encryptionAlgorithms,
  findTagProblem,
  headerTextPattern,
  storageClasses,
} from '../lib/object-rules.js';
import type { ObjectChoices } from '../lib/object-settings.js';
import { OptimiseModelError } from '../messages/error.js';
import { commander } from './commander.js';
import { parsePositiveInteger } from './parse-option.js';

type Tags = Readonly<Record<string, string>>;

/** What the flags about writing to S3 gave. */
export type ObjectFlags = {
  readonly partSize?: number;
  readonly concurrency?: number;
  readonly cacheControl?: string;
  readonly tag?: Tags;
  readonly sse?: (typeof encryptionAlgorithms)[number];
  readonly sseKmsKeyId?: string;
  readonly storageClass?: string;
  readonly expectedBucketOwner?: string;
};

const mostConcurrent = 64;

/**
 * Adds the flags that say how objects are written to S3; each has a variable of its own.
 *
 * @param command - `stage` or `run`.
 * @returns The same command.
 */
export function addObjectOptions(command: Command): Command {
  const storageClass = makeOption('--storage-class <class>', 'STORAGE_CLASS', 'storage class of the files');
  return addAll(command, [
    partSizeOption('part size of multipart uploads; chosen from the size of a file when left out'),
    concurrencyOption('parts sent at the same time; 4 when left out'),
    ...documentOptions(),
    storageClass.argParser(parseStorageClass),
    ownerOption(),
  ]);
}

/**
 * Adds the flags of {@link addObjectOptions} that concern small documents, with the same variables.
 *
 * @param command - A command that only writes documents.
 * @returns The same command.
 */
export function addDocumentOptions(command: Command): Command {
  return addAll(command, [...documentOptions(), ownerOption()]);
}

/**
 * Adds `--expected-bucket-owner` alone, for commands that only read.
 *
 * @param command - The command.
 * @returns The same command.
 */
export function addOwnerOption(command: Command): Command {
  return addAll(command, [ownerOption()]);
}

/**
 * Adds the flags of reading by ranges; variables and bounds are those of sending.
 *
 * @param command - A command that downloads.
 * @returns The same command.
 */
export function addReadingOptions(command: Command): Command {
  return addAll(command, [
    partSizeOption('size of one range').default(8),
    concurrencyOption('ranges read at the same time, of all files together').default(4),
  ]);
}

type Option = InstanceType<typeof commander.Option>;

function addAll(command: Command, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option);
  return command;
}

function makeOption(flags: string, env: string, text: string): Option {
  return new commander.Option(flags, text).env(`OPTIMISE_MODEL_${env}`);
}

function partSizeOption(text: string): Option {
  return makeOption('--part-size <MiB>', 'PART_SIZE', text).argParser(parsePositiveInteger);
}

function concurrencyOption(text: string): Option {
  return makeOption('--concurrency <n>', 'CONCURRENCY', text).argParser(parseConcurrency);
}

function documentOptions(): readonly Option[] {
  const cacheControl = makeOption(
    '--cache-control <text>',
    'CACHE_CONTROL',
    'Cache-Control of what never changes',
  );
  const tag = makeOption(
    '--tag <KEY=VALUE>',
    'TAGS',
    'tag of every object; repeatable, or a list with commas',
  );
  const key = makeOption('--sse-kms-key-id <id>', 'SSE_KMS_KEY_ID', 'id or ARN of the KMS key');
  return [
    cacheControl.argParser(parseHeaderText),
    tag.argParser(collectTags),
    makeOption('--sse <algorithm>', 'SSE', 'server-side encryption').choices(encryptionAlgorithms),
    key.argParser(parseHeaderText),
  ];
}

function ownerOption(): Option {
  return makeOption(
    '--expected-bucket-owner <account>',
    'EXPECTED_BUCKET_OWNER',
    'account that must own the bucket',
  ).argParser(parseAccount);
}

/**
 * Puts the flags together that say how objects are written.
 *
 * @param flags - As commander gives them.
 * @param command - The command that they were given to, for messages.
 * @returns How objects are to be written.
 * @throws `usage-wrong` for a key without an encryption that uses one.
 */
export function readObjectFlags(flags: ObjectFlags, command = 'stage'): ObjectChoices {
  const { cacheControl, tag, sse, sseKmsKeyId, storageClass, expectedBucketOwner } = flags;
  if (sseKmsKeyId !== undefined && (sse === undefined || sse === 'AES256')) {
    const problem = "option '--sse-kms-key-id <id>' needs '--sse aws:kms' or '--sse aws:kms:dsse'.";
    throw OptimiseModelError.of('usage-wrong', { problem, command: `optimise-model ${command}` });
  }
  const encryption = sse === undefined ? undefined : { algorithm: sse, kmsKeyId: sseKmsKeyId };
  return { cacheControl, tags: tag, encryption, storageClass, expectedBucketOwner };
}

function parseConcurrency(text: string): number {
  const count = parsePositiveInteger(text);
  if (count > mostConcurrent)
    throw new commander.InvalidArgumentError(`It must be a whole number from 1 to ${mostConcurrent}.`);
  return count;
}

function parseHeaderText(text: string): string {
  if (!headerTextPattern.test(text)) throw new commander.InvalidArgumentError('It must be plain ASCII text.');
  return text;
}

function collectTags(text: string, before: Tags | undefined): Tags {
  const pairs = text.split(',').map((pair): [string, string] => {
    const split = pair.indexOf('=');
    if (split < 1) throw new commander.InvalidArgumentError('It must be KEY=VALUE.');
    return [pair.slice(0, split).trim(), pair.slice(split + 1).trim()];
  });
  const tags = { ...before, ...Object.fromEntries(pairs) };
  const problem = findTagProblem(tags);
  if (problem !== undefined) throw new commander.InvalidArgumentError(`It must be ${problem}.`);
  return tags;
}

function parseStorageClass(text: string): string {
  const known: readonly string[] = storageClasses;
  const archives: readonly string[] = archiveClasses;
  if (archives.includes(text)) throw new commander.InvalidArgumentError(`It must be ${archiveRefusal}.`);
  if (!known.includes(text))
    throw new commander.InvalidArgumentError(`Allowed choices are ${known.join(', ')}.`);
  return text;
}

function parseAccount(text: string): string {
  if (!accountIdPattern.test(text))
    throw new commander.InvalidArgumentError('It must be an account id of 12 digits.');
  return text;
}
