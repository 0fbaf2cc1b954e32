import type { S3Client } from '@aws-sdk/client-s3';

/** A bucket's region: what was configured, until the server says otherwise. */
export type FollowedRegion = {
  /** For the client's configuration; asked anew for each request. */
  readonly read: () => Promise<string>;
  /** Makes the client learn from the server's answers. */
  readonly follow: (client: S3Client) => void;
};

/** By place: a store is opened for each step, and none of them should be sent away again. */
const learned = new Map<string, string>();

type Refusal = {
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
  /** From the body of `AuthorizationHeaderMalformed`. */
  readonly Region?: unknown;
};

/**
 * Follows a bucket to its region. The SDK's own `followRegionRedirects` asks the wrong region again for every request,
 * and does not know the answer to a signature for another region; this remembers.
 *
 * @param place - Endpoint and bucket, as one word.
 * @param configured - The configured region.
 * @returns The region to use and what updates it.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/Redirects.html
 */
export function followRegion(place: string, configured: string): FollowedRegion {
  const read = async (): Promise<string> => learned.get(place) ?? configured;
  return {
    read,
    follow: (client) => {
      client.middlewareStack.add(
        (next) => async (args) => {
          const asked = await read();
          try {
            return await next(args);
          } catch (error) {
            const named = regionNamedIn(error);
            if (named === undefined || named === asked) throw error;
            learned.set(place, named);
            return next(args);
          }
        },
        { step: 'initialize', name: 'followRegion' },
      );
    },
  };
}

function regionNamedIn(error: unknown): string | undefined {
  const { $metadata, $response, Region: region } = error as Refusal;
  const status = $metadata?.httpStatusCode;
  if (status !== 301 && status !== 307 && status !== 400) return undefined;
  const named = $response?.headers?.['x-amz-bucket-region'] ?? region;
  return typeof named === 'string' && /^[a-z0-9-]+$/.test(named) ? named : undefined;
}
