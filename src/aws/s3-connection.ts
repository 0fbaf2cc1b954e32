import { S3Client } from '@aws-sdk/client-s3';
import { findHomeFolder } from '../lib/home-folder.js';
import { defaultObjectSettings, type ObjectSettings } from '../lib/object-settings.js';
import { showAddress } from '../lib/show-address.js';
import { findStateFolder, type StateFolder } from '../lib/state-folder.js';
import { OptimiseModelError } from '../messages/error.js';
import { followRegion } from './follow-region.js';
import { hideSecrets } from './hide-secrets.js';
import { readEndpoint } from './read-endpoint.js';
import { refuseUnfitSettings } from './refuse-unfit-settings.js';
import { chooseRetries } from './retry-adaptively.js';
import { retryDamaged } from './retry-damaged.js';
import { retrySkewedOnly } from './retry-skewed-only.js';
import { readSilenceMs, shareSockets } from './shared-sockets.js';
import { leavePartsUnsigned } from './unsigned-parts.js';

/** A client for one bucket, and how it was set up. */
export type S3Connection = {
  readonly client: S3Client;
  readonly bucket: string;
  /** For messages: the endpoint's address, or `Amazon S3 (REGION)`. */
  readonly endpoint: string;
  /** Which server it is, whatever the region: the endpoint's address, or `aws`. */
  readonly server: string;
  /** Where uploads to it are noted. */
  readonly stateFolder: StateFolder;
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

/**
 * Connects to S3 or a service like it, set up as the AWS tools are: environment, profile and default chain of
 * credentials, endpoints, region, FIPS and dual stack, retries and checksums. No request is sent yet.
 *
 * @param bucket - The bucket.
 * @param env - Environment variables.
 * @param settings - How objects are written.
 * @returns The connection. With an endpoint, buckets (but directory buckets) are addressed by path and the region defaults to `us-east-1`; the
 *   client follows the bucket to its region, retries 3 times (AWS_MAX_ATTEMPTS) in the adaptive mode (AWS_RETRY_MODE)
 *   and gives up on a connection that is idle for OPTIMISE_MODEL_S3_SILENCE_SECONDS.
 * @throws `s3-endpoint-wrong`, `s3-silence-wrong`, `s3-setting-unfit`; `s3-region-missing` when neither environment nor
 *   profile names one and no endpoint is set.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html
 */
export async function connectS3(
  bucket: string,
  env: NodeJS.ProcessEnv,
  settings: ObjectSettings = defaultObjectSettings,
): Promise<S3Connection> {
  // The SDK's notice on Node 20 is for whoever raises its pinned version, not for who stages a model.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  // The SDK looks for its files in the home folder, and falls over where there is none.
  if (findHomeFolder() === '') process.env.HOME = '/';
  const isDirectoryBucket = bucket.endsWith('--x-s3');
  if (isDirectoryBucket) refuseUnfitSettings(bucket, settings);
  const requestHandler = shareSockets(env);
  const configured = new S3Client({ requestHandler });
  const endpoint = await readEndpoint(configured, env);
  const region = await readRegion(configured, env, endpoint === undefined ? undefined : 'us-east-1', bucket);
  const followed = followRegion(`${endpoint ?? ''} ${bucket}`, region);
  const client = new S3Client({
    region: followed.read,
    forcePathStyle: endpoint !== undefined,
    ...(await chooseRetries(env)),
    // Whole GETs are compared with our own SHA-256; CRC64NVME would be computed in JavaScript for each of them.
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A body is sent at once in any case: waiting for the server's word would need a connection of its own for each.
    expectContinueHeader: false,
    requestHandler,
  });
  hideSecrets(client);
  followed.follow(client);
  retryDamaged(client);
  retrySkewedOnly(client);
  leavePartsUnsigned(client);
  return {
    client,
    bucket,
    endpoint: endpoint === undefined ? `Amazon S3 (${await followed.read()})` : showAddress(endpoint),
    server: endpoint === undefined ? 'aws' : showAddress(endpoint),
    stateFolder: findStateFolder(env),
    isAmazon: endpoint === undefined,
    isDirectoryBucket,
    usesChecksums: (await client.config.requestChecksumCalculation()) !== 'WHEN_REQUIRED',
    silenceMs: readSilenceMs(env),
    settings,
  };
}

async function readRegion(
  client: S3Client,
  env: NodeJS.ProcessEnv,
  otherwise: string | undefined,
  bucket: string,
): Promise<string> {
  // AWS_DEFAULT_REGION is known to the AWS command line, but not to this SDK.
  const named = env.AWS_REGION || env.AWS_DEFAULT_REGION;
  if (named) return named;
  return client.config.region().catch((cause: unknown) => {
    if (otherwise !== undefined) return otherwise;
    throw OptimiseModelError.of('s3-region-missing', { bucket }, cause);
  });
}
