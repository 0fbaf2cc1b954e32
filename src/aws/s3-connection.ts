import type { S3Client } from '@aws-sdk/client-s3';
import { defaultObjectSettings, type ObjectSettings } from '../lib/object-settings.js';
import { findStateFolder, type StateFolder } from '../lib/state-folder.js';
import { openConnection } from './open-connection.js';
import { refuseUnfitSettings } from './refuse-unfit-settings.js';
import { retryDamaged } from './retry-damaged.js';
import { leavePartsUnsigned } from './unsigned-parts.js';

/** A client for one bucket, and how it was set up: all that reading needs. */
export type S3Reading = {
  readonly client: S3Client;
  readonly bucket: string;
  /** For messages: the endpoint's address, or `Amazon S3 (REGION)`. */
  readonly endpoint: string;
  /** Which server it is, whatever the region: the endpoint's address, or `aws`. */
  readonly server: string;
  /** Whether it is Amazon S3 itself. */
  readonly isAmazon: boolean;
  /** Whether the bucket is an S3 Express directory bucket: lists unsorted, prefixes end in `/`, no MD5 in ETags. */
  readonly isDirectoryBucket: boolean;
  /** Whether the server is asked to check and return CRC32 (not with `when_required`). */
  readonly usesChecksums: boolean;
  /** How long a connection may be idle before its request is given up. */
  readonly silenceMs: number;
  readonly settings: ObjectSettings;
};

/** The same for writing too. */
export type S3Connection = S3Reading & {
  /** Where uploads are noted. */
  readonly stateFolder: StateFolder;
};

/**
 * Connects to S3 or a service like it for reading and writing. No request is sent yet.
 *
 * @param bucket - The bucket.
 * @param env - Environment variables.
 * @param settings - How objects are written.
 * @returns The connection, as {@link openConnection} makes it.
 * @throws What `openConnection` throws; `s3-setting-unfit`.
 */
export async function connectS3(
  bucket: string,
  env: NodeJS.ProcessEnv,
  settings: ObjectSettings = defaultObjectSettings,
): Promise<S3Connection> {
  const connection = await openConnection(bucket, env, settings);
  if (connection.isDirectoryBucket) refuseUnfitSettings(bucket, settings);
  retryDamaged(connection.client);
  leavePartsUnsigned(connection.client);
  return { ...connection, stateFolder: findStateFolder(env) };
}
