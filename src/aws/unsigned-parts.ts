import type { S3Client } from '@aws-sdk/client-s3';

const payloadHeader = 'x-amz-content-sha256';
const crc32Header = 'x-amz-checksum-crc32';

/**
 * Sends the bodies of parts without a signature of their bytes where something else speaks for them: TLS, or their
 * CRC32, which is a signed header. Hashing them once more takes a fifth of an upload's time, here and on the server.
 * What readers compare with, the SHA-256 of whole files, is in records whose bytes are signed.
 *
 * @param client - The client.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html (UNSIGNED-PAYLOAD)
 */
export function leavePartsUnsigned(client: S3Client): void {
  client.middlewareStack.add(
    (next, context) => (args) => {
      const { request } = args as { request: Request };
      if (context.commandName === 'UploadPartCommand' && isSpokenFor(request)) {
        request.headers[payloadHeader] = 'UNSIGNED-PAYLOAD';
      }
      return next(args);
    },
    { step: 'build', name: 'leavePartsUnsigned' },
  );
}

type Request = { readonly protocol: string; readonly headers: Record<string, string> };

function isSpokenFor({ protocol, headers }: Request): boolean {
  return protocol === 'https:' || headers[crc32Header] !== undefined;
}
