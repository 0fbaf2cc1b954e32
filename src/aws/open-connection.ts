import { S3Client } from '#aws-sdk/read';
import { findHomeFolder } from '../lib/home-folder.js';
import { defaultObjectSettings, type ObjectSettings } from '../lib/object-settings.js';
import { showAddress } from '../lib/show-address.js';
import { OptimiseModelError } from '../messages/error.js';
import { followRegion } from './follow-region.js';
import { hideSecrets } from './hide-secrets.js';
import { readEndpoint } from './read-endpoint.js';
import { chooseRetries } from './retry-adaptively.js';
import { retrySkewedOnly } from './retry-skewed-only.js';
import type { S3Reading } from './s3-connection.js';
import { readSilenceMs, shareSockets } from './shared-sockets.js';

/**
 * Connects to S3 or a service like it for reading, set up as the AWS tools are: environment, profile and default chain of
 * credentials, endpoints, region, FIPS and dual stack, retries and checksums. No request is sent yet.
 *
 * @param bucket - The bucket.
 * @param env - Environment variables.
 * @param settings - Whose the bucket must be; how objects are written, for who writes.
 * @returns The connection. With an endpoint, buckets (but directory buckets) are addressed by path and the region defaults to `us-east-1`; the
 *   client follows the bucket to its region, retries 3 times (AWS_MAX_ATTEMPTS) in the adaptive mode (AWS_RETRY_MODE)
 *   and gives up on a connection that is idle for OPTIMISE_MODEL_S3_SILENCE_SECONDS.
 * @throws `s3-endpoint-wrong`, `s3-silence-wrong`; `s3-region-missing` when neither environment nor
 *   profile names one and no endpoint is set.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html
 */
export async function openConnection(
  bucket: string,
  env: NodeJS.ProcessEnv,
  settings: ObjectSettings = defaultObjectSettings,
): Promise<S3Reading> {
  // The SDK's notice on Node 20 is for whoever raises its pinned version, not for who stages a model.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  // The SDK looks for its files in the home folder, and falls over where there is none.
  if (findHomeFolder() === '') process.env.HOME = '/';
  const isDirectoryBucket = bucket.endsWith('--x-s3');
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
  retrySkewedOnly(client);
  return {
    client,
    bucket,
    endpoint: endpoint === undefined ? `Amazon S3 (${await followed.read()})` : showAddress(endpoint),
    server: endpoint === undefined ? 'aws' : showAddress(endpoint),
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
