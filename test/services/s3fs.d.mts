import type { RunningS3 } from './versitygw.mjs';

/** A bucket mounted as a folder, and how to unmount it. */
export type MountedBucket = { readonly folder: string; readonly stop: () => Promise<void> };

/** s3fs, a FUSE file system over S3: the real mount that the tests and benchmarks read through. */
export const s3fs: {
  readonly name: string;
  readonly find: () => Promise<string | undefined>;
  readonly install: () => Promise<string>;
  readonly start: (
    s3: Pick<RunningS3, 'endpoint' | 'accessKeyId' | 'secretAccessKey'>,
    bucket: string,
  ) => Promise<MountedBucket>;
  readonly whyNot: () => Promise<string | undefined>;
};
