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
  const option = (flags: string, env: string, text: string) =>
    new commander.Option(flags, text).env(`OPTIMISE_MODEL_${env}`);
  const options = [
    option(
      '--part-size <MiB>',
      'PART_SIZE',
      'part size of multipart uploads; chosen from the size of a file when left out',
    ).argParser(parsePositiveInteger),
    option('--concurrency <n>', 'CONCURRENCY', 'parts sent at the same time; 4 when left out').argParser(
      parseConcurrency,
    ),
    option('--cache-control <text>', 'CACHE_CONTROL', 'Cache-Control of what never changes').argParser(
      parseHeaderText,
    ),
    option('--tag <KEY=VALUE>', 'TAGS', 'tag of every object; repeatable, or a list with commas').argParser(
      collectTags,
    ),
    option('--sse <algorithm>', 'SSE', 'server-side encryption').choices(encryptionAlgorithms),
    option('--sse-kms-key-id <id>', 'SSE_KMS_KEY_ID', 'id or ARN of the KMS key').argParser(parseHeaderText),
    option('--storage-class <class>', 'STORAGE_CLASS', 'storage class of the files').argParser(
      parseStorageClass,
    ),
    option(
      '--expected-bucket-owner <account>',
      'EXPECTED_BUCKET_OWNER',
      'account that must own the bucket',
    ).argParser(parseAccount),
  ];
  for (const item of options) command.addOption(item);
  return command;
}

/**
 * Puts the flags of `stage` together.
 *
 * @param flags - As commander gives them.
 * @returns How objects are to be written.
 * @throws `usage-wrong` for a key without an encryption that uses one.
 */
export function readObjectFlags(flags: ObjectFlags): ObjectChoices {
  const { cacheControl, tag, sse, sseKmsKeyId, storageClass, expectedBucketOwner } = flags;
  if (sseKmsKeyId !== undefined && (sse === undefined || sse === 'AES256')) {
    const problem = "option '--sse-kms-key-id <id>' needs '--sse aws:kms' or '--sse aws:kms:dsse'.";
    throw OptimiseModelError.of('usage-wrong', { problem, command: 'optimise-model stage' });
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
