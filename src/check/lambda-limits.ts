/** One limit of a platform, with where it was read and when; limits change, so none stands in code without a date. */
export type DatedLimit = {
  readonly valueBytes: number;
  /** How a size is compared: the platform's own wording. */
  readonly rule: 'smaller than' | 'at most';
  readonly source: string;
  /** Day on which the source was read, ISO 8601. */
  readonly asOf: string;
};

/** A range that a setting may take, in MiB and in steps of 1 MiB. */
export type DatedRange = {
  readonly minimumMiB: number;
  readonly maximumMiB: number;
  readonly source: string;
  readonly asOf: string;
};

const quotas = 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html';
const asOf = '2026-11-30';

/**
 * Limits of one Lambda function from a zip, by name. Its code and all its layers share one unzipped limit, so a layer
 * has no numbers of its own and there is one profile for both.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html ("MB" there means 1,024 KB)
 */
export const limitProfiles = {
  'lambda-zip': {
    /** Function code and all layers together: `Unzipped size must be smaller than 262144000 bytes`. */
    unzipped: { valueBytes: 262_144_000, rule: 'smaller than', source: quotas, asOf },
    /** Direct upload of one zip: `Zipped size must be smaller than 52428800 bytes`; none through S3. */
    zipped: { valueBytes: 52_428_800, rule: 'smaller than', source: quotas, asOf },
    ephemeral: { minimumMiB: 512, maximumMiB: 10_240, source: quotas, asOf },
    memory: { minimumMiB: 128, maximumMiB: 10_240, source: quotas, asOf },
  },
} as const satisfies Record<
  string,
  { unzipped: DatedLimit; zipped: DatedLimit; ephemeral: DatedRange; memory: DatedRange }
>;

/** A key of {@link limitProfiles}. */
export type ProfileName = keyof typeof limitProfiles;

/** Names of all profiles, for option lists. */
export const profileNames = Object.keys(limitProfiles) as readonly ProfileName[];

/** The machine whose binaries a function ships, in Node's words: Lambda's default architecture. */
export const lambdaTarget = { platform: 'linux', arch: 'x64' } as const;
