import { S3Client } from '@aws-sdk/client-s3';
import type { RunningS3 } from './versitygw.mjs';

/** Where a server is, and who may ask it. */
export type S3Access = Pick<RunningS3, 'endpoint' | 'accessKeyId' | 'secretAccessKey'>;

const clients = new Map<string, S3Client>();

/**
 * Gives the client through which tests look at a server, set up by none of our code.
 *
 * @param s3 - The server.
 * @returns The same client each time: what it has connected and worked out serves all tests of a file.
 */
export function clientOf(s3: S3Access): S3Client {
  const known = clients.get(s3.endpoint);
  if (known !== undefined) return known;
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const client = new S3Client({
    endpoint: s3.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
    // Who reads compares with a SHA-256, or with the bytes themselves.
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  clients.set(s3.endpoint, client);
  return client;
}
