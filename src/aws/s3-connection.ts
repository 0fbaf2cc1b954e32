import { S3Client } from '@aws-sdk/client-s3';
import { defaultObjectSettings, type ObjectSettings } from '../lib/object-settings.js';
import { showAddress } from '../lib/show-address.js';
import { OptimiseModelError } from '../messages/error.js';

/** A client for one bucket, and how it was set up. */
export type S3Connection = {
  readonly client: S3Client;
  readonly bucket: string;
  /** For messages: the endpoint's address, or `Amazon S3 (REGION)`. */
  readonly endpoint: string;
  /** Whether the server is asked to check and return CRC32 (not with `when_required`). */
  readonly usesChecksums: boolean;
  readonly settings: ObjectSettings;
};

/**
 * Connects to S3 or a service like it, set up by the usual AWS environment: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL,
 * AWS_REGION or AWS_DEFAULT_REGION, AWS_PROFILE, AWS_REQUEST_CHECKSUM_CALCULATION and the default chain of
 * credentials. No request is sent yet.
 *
 * @param bucket - The bucket.
 * @param env - Environment variables.
 * @param settings - How objects are written.
 * @returns The connection. With an endpoint, buckets are addressed by path and the region defaults to `us-east-1`.
 * @throws `s3-endpoint-wrong`; `s3-region-missing` when neither environment nor profile names one and no endpoint is set.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export async function connectS3(
  bucket: string,
  env: NodeJS.ProcessEnv,
  settings: ObjectSettings = defaultObjectSettings,
): Promise<S3Connection> {
  const endpoint = readEndpoint(env);
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined;
  const client = makeClient(endpoint !== undefined, region);
  const known = await client.config.region().catch((cause: unknown) => {
    if (endpoint !== undefined) return undefined;
    throw OptimiseModelError.of('s3-region-missing', { bucket }, cause);
  });
  return {
    client: known === undefined ? makeClient(true, 'us-east-1') : client,
    bucket,
    endpoint: endpoint === undefined ? `Amazon S3 (${known})` : showAddress(endpoint),
    usesChecksums: (await client.config.requestChecksumCalculation()) !== 'WHEN_REQUIRED',
    settings,
  };
}

function readEndpoint(env: NodeJS.ProcessEnv): string | undefined {
  const variable = env.AWS_ENDPOINT_URL_S3 ? 'AWS_ENDPOINT_URL_S3' : 'AWS_ENDPOINT_URL';
  const value = env[variable];
  if (!value) return undefined;
  if (/^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : '')) return value;
  throw OptimiseModelError.of('s3-endpoint-wrong', { variable, value: showAddress(value) });
}

function makeClient(usesPaths: boolean, region: string | undefined): S3Client {
  // The SDK's notice on Node 20 is for whoever raises its pinned version, not for who stages a model.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  return new S3Client({
    ...(region === undefined ? {} : { region }),
    forcePathStyle: usesPaths,
    maxAttempts: 3,
    // Whole GETs are compared with our own SHA-256; CRC64NVME would be computed in JavaScript for each of them.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000, httpsAgent: { maxSockets: 64 } },
  });
}
