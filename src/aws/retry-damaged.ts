import type { S3Client } from '@aws-sdk/client-s3';

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
