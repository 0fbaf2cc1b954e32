import { createHash } from 'node:crypto';
import { UploadPartCommand } from '@aws-sdk/client-s3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectS3 } from '../../src/aws/s3-connection.js';
import { useS3 } from '../services/require-s3.js';

const Body = Buffer.from('a part');
const hash = createHash('sha256').update(Body).digest('hex');

afterEach(() => vi.unstubAllEnvs());

/** The headers of a part, as they would be sent. */
async function headersOf(endpoint: string, calculation: string, checksum: object) {
  useS3({ endpoint, accessKeyId: 'a', secretAccessKey: 'b' });
  vi.stubEnv('AWS_REQUEST_CHECKSUM_CALCULATION', calculation);
  const { client } = await connectS3('bucket', process.env);
  let headers: Readonly<Record<string, string>> = {};
  client.middlewareStack.add(
    () => async (args) => {
      ({ headers } = args.request as { headers: Record<string, string> });
      return { response: {}, output: { $metadata: {} } } as never;
    },
    { step: 'finalizeRequest', priority: 'low', name: 'look' },
  );
  const part = { Bucket: 'bucket', Key: 'k', UploadId: 'U1', PartNumber: 1, Body, ...checksum };
  await client.send(new UploadPartCommand(part));
  return headers;
}

describe('the bytes of a part', () => {
  it.each([
    ['https://s3.local', 'when_supported', { ChecksumCRC32: 'AAAAAA==' }],
    ['https://s3.local', 'when_required', {}],
    ['http://s3.local', 'when_supported', { ChecksumCRC32: 'AAAAAA==' }],
  ])('are not signed at %s with checksums %s', async (endpoint, calculation, checksum) => {
    const headers = await headersOf(endpoint, calculation, checksum);
    expect(headers['x-amz-content-sha256']).toBe('UNSIGNED-PAYLOAD');
    const isSigned = String(headers.authorization).includes('x-amz-checksum-crc32');
    expect(isSigned).toBe('ChecksumCRC32' in checksum);
  });

  it('are signed where neither TLS nor a signed checksum speaks for them', async () => {
    const headers = await headersOf('http://s3.local', 'when_required', {});
    expect(headers['x-amz-content-sha256']).toBe(hash);
    expect(headers.authorization).toContain('x-amz-content-sha256');
  });
});
