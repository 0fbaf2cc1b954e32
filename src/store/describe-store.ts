import type { ObjectSettings } from '../lib/object-settings.js';
import { parseStoreUrl } from './store-url.js';

export { refusePartSize } from '../aws/part-limits.js';

/** Where a store is and for whom it is written. */
export type StorePlace =
  | { readonly kind: 'directory' }
  | {
      readonly kind: 's3';
      /** The endpoint's address, or `Amazon S3 (REGION)`. */
      readonly endpoint: string;
      readonly bucket: string;
      readonly region: string;
      /** The AWS account; null when it is not known. */
      readonly account: string | null;
      /** Why it is not known; null when it is. */
      readonly accountUnknownBecause: string | null;
    };

/**
 * Describes a store without writing to it. For S3 this may ask STS for the account.
 *
 * @param url - Address of a store that can be written to.
 * @param settings - How objects would be written.
 * @param signal - Stops the request.
 * @returns The place.
 * @throws `store-url-wrong`, what connecting to S3 throws.
 */
export async function describeStore(
  url: string,
  settings: ObjectSettings,
  signal: AbortSignal,
): Promise<StorePlace> {
  const address = parseStoreUrl(url);
  if (address.kind !== 's3') return { kind: 'directory' };
  const { connectS3 } = await import('../aws/s3-connection.js');
  const { findAccount } = await import('../aws/find-account.js');
  const connection = await connectS3(address.bucket, process.env, settings);
  const found = await findAccount(connection, process.env, signal);
  return {
    kind: 's3',
    endpoint: connection.endpoint,
    bucket: address.bucket,
    region: await connection.client.config.region(),
    account: 'id' in found ? found.id : null,
    accountUnknownBecause: 'id' in found ? null : found.unknownBecause,
  };
}
