import type { encryptionAlgorithms } from './object-rules.js';

/** Encryption at rest that the server is told to use, instead of the bucket's default. */
type ServerSideEncryption = {
  readonly algorithm: (typeof encryptionAlgorithms)[number];
  /** Id or ARN of the KMS key; null for the account's default key, and with `AES256`. */
  readonly kmsKeyId: string | null;
};

/** How objects are written to S3. A store of another kind has no use for it. */
export type ObjectSettings = {
  /** `Cache-Control` of what never changes: all but `current.json`, which gets `no-cache`. Null for none. */
  readonly cacheControl: string | null;
  /** Tags of every object that is written. */
  readonly tags: Readonly<Record<string, string>>;
  /** Null leaves it to the bucket. */
  readonly encryption: ServerSideEncryption | null;
  /** Storage class of the files of artifacts; null leaves it to the server. */
  readonly storageClass: string | null;
  /** Account id that must own the bucket; sent with every request. Null does not ask. */
  readonly expectedBucketOwner: string | null;
  /** False where the server has no conditional writes and the user said to do without. */
  readonly conditionalWrites: boolean;
};

/** What holds where nothing was said: objects below a digest never change, so caches may keep them for a year. */
export const defaultObjectSettings: ObjectSettings = {
  cacheControl: 'max-age=31536000, immutable',
  tags: {},
  encryption: null,
  storageClass: null,
  expectedBucketOwner: null,
  conditionalWrites: true,
};

/** What was said about how objects are written, by flags or a file; what is left out keeps its default. */
export type ObjectChoices = {
  /** Empty for none. */
  readonly cacheControl?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly encryption?:
    | {
        readonly algorithm: ServerSideEncryption['algorithm'];
        readonly kmsKeyId?: string | undefined;
      }
    | undefined;
  readonly storageClass?: string | undefined;
  readonly expectedBucketOwner?: string | undefined;
};

/**
 * Fills in how objects are written.
 *
 * @param choices - What was said.
 * @returns The settings.
 */
export function makeObjectSettings(choices: ObjectChoices): ObjectSettings {
  const { cacheControl = defaultObjectSettings.cacheControl, encryption } = choices;
  return {
    ...defaultObjectSettings,
    cacheControl: cacheControl === '' ? null : cacheControl,
    tags: choices.tags ?? defaultObjectSettings.tags,
    encryption:
      encryption === undefined
        ? null
        : { algorithm: encryption.algorithm, kmsKeyId: encryption.kmsKeyId ?? null },
    storageClass: choices.storageClass ?? null,
    expectedBucketOwner: choices.expectedBucketOwner ?? null,
  };
}
