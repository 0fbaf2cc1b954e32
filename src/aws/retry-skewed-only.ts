import type { S3Client } from '@aws-sdk/client-s3';
import { statusOf } from './translate-s3-error.js';

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
export function retrySkewedOnly(client: S3Client): void {
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
