/** Encryption at rest that the server is told to use, instead of the bucket's default. */
export type ServerSideEncryption = {
  readonly algorithm: 'AES256' | 'aws:kms' | 'aws:kms:dsse';
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
