import type { S3Client } from '@aws-sdk/client-s3';
import { statusOf } from './translate-s3-error.js';

/** What servers call bytes that were not the ones that had been sent: damaged or cut on the way. */
const damagedNames: ReadonlySet<string> = new Set([
  'BadDigest',
  'IncompleteBody',
  'XAmzContentChecksumMismatch',
  'XAmzContentSHA256Mismatch',
]);

/**
 * Makes a client try again what the SDK takes for a mistake of the caller: a body that arrived damaged. All bodies
 * are buffers, so another try sends the same bytes.
 *
 * @param client - The client; its number of tries and its budget for them hold for these too.
 */
export function retryDamaged(client: S3Client): void {
  retrySkewedOnly(client);
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (error instanceof Error && damagedNames.has(error.name)) {
          Object.assign(error, { $retryable: { throttling: false } });
        }
        throw error;
      }
    },
    { step: 'finalizeRequest', priority: 'low', name: 'retryDamaged' },
  );
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const skewNames: ReadonlySet<string> = new Set([
  'RequestExpired',
  'RequestInTheFuture',
  'RequestTimeTooSkewed',
]);

/**
 * Makes a client try again for the sake of its clock only what was refused for it. Once the SDK has learned that the
 * clock is minutes off, it takes every later error for one of the clock, such as the refusal of a conditional write.
 *
 * @param client - The client.
 */
function retrySkewedOnly(client: S3Client): void {
  const { middlewareStack } = client;
  type Middleware = Parameters<typeof middlewareStack.addRelativeTo>[0];
  const middleware = (next: (args: never) => Promise<never>) => async (args: never) => {
    try {
      return await next(args);
    } catch (error) {
      const metadata = (error as { $metadata?: { clockSkewCorrected?: boolean } }).$metadata;
      const isSkewed = error instanceof Error && skewNames.has(error.name);
      // To HEAD there is no answer but the status.
      const mayBeSkewed = isSkewed || statusOf(error) === 403;
      if (metadata?.clockSkewCorrected === true && !mayBeSkewed) metadata.clockSkewCorrected = false;
      throw error;
    }
  };
  const place = { relation: 'before', toMiddleware: 'httpSigningMiddleware' } as const;
  middlewareStack.addRelativeTo(middleware as unknown as Middleware, { ...place, name: 'retrySkewedOnly' });
}
