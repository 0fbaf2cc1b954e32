import type { S3Client } from '@aws-sdk/client-s3';
import { showAddress } from '../lib/show-address.js';
import { OptimiseModelError } from '../messages/error.js';

/**
 * Reads the address of a service that takes the place of Amazon S3, from where the SDK takes it: AWS_ENDPOINT_URL_S3,
 * AWS_ENDPOINT_URL, `endpoint_url` of the profile or of its `services` section; none with
 * AWS_IGNORE_CONFIGURED_ENDPOINT_URLS.
 *
 * @param client - A client that was made without an endpoint.
 * @param env - Environment variables, to name the one that is wrong.
 * @returns The address; undefined for Amazon S3.
 * @throws `s3-endpoint-wrong`.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export async function readEndpoint(client: S3Client, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const value = await client.config.serviceConfiguredEndpoint?.();
  if (value === undefined) return undefined;
  if (/^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : '')) return value;
  const variable = ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'].find((name) => env[name]);
  throw OptimiseModelError.of('s3-endpoint-wrong', {
    variable: variable ?? 'endpoint_url of the AWS profile',
    // Of what is no address it is not known where the password ends.
    value: showAddress(value).replace(/^.*@/s, '…@'),
  });
}
