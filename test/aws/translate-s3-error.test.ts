import { describe, expect, it } from 'vitest';
import { connectS3 } from '../../src/aws/s3-connection.js';
import { translateS3Error } from '../../src/aws/translate-s3-error.js';
import { OptimiseModelError } from '../../src/messages/error.js';

const connection = await connectS3('models', { AWS_REGION: 'eu-west-1' });

function translate(error: unknown, operation = 'PutObject'): unknown {
  return translateS3Error(error, { connection, key: 'vit/x', operation });
}

function sdkError(name: string, status: number | undefined, more: object = {}): Error {
  const error = new Error(`${name}.`);
  return Object.assign(error, {
    name,
    ...(status === undefined ? {} : { $metadata: { httpStatusCode: status } }),
    ...more,
  });
}

describe('an error of the AWS SDK', () => {
  it.each([
    ['CredentialsProviderError', undefined, {}, 's3-credentials-missing'],
    ['InvalidAccessKeyId', 403, {}, 's3-credentials-refused'],
    ['XAdminUserNotFound', 404, {}, 's3-credentials-refused'],
    ['ExpiredToken', 400, {}, 's3-credentials-refused'],
    ['AccessDenied', 403, {}, 's3-access-denied'],
    ['403', 403, {}, 's3-access-denied'],
    ['NoSuchBucket', 404, {}, 's3-no-such-bucket'],
    ['PermanentRedirect', 301, {}, 's3-wrong-region'],
    ['301', 301, {}, 's3-wrong-region'],
    ['NotImplemented', 501, {}, 's3-not-supported'],
    ['RequestTimeTooSkewed', 403, {}, 's3-clock-wrong'],
    ['Error', undefined, { code: 'ENOTFOUND' }, 's3-unreachable'],
    ['Error', undefined, { code: 'CERT_HAS_EXPIRED' }, 's3-unreachable'],
    ['TimeoutError', undefined, {}, 's3-unreachable'],
    ['SlowDown', 503, {}, 's3-failed'],
    ['Error', undefined, {}, 's3-failed'],
  ])('%s with status %s says %s %s', (name, status, more, code) => {
    const cause = sdkError(name, status, more);
    expect(translate(cause)).toMatchObject({
      code,
      exitCode: 3,
      cause,
      facts: { bucket: 'models', key: 'vit/x', operation: 'PutObject', status: status ?? 0 },
    });
  });

  it('names the permission of the call that was refused', () => {
    const denied = sdkError('AccessDenied', 403);
    expect(translate(denied)).toMatchObject({
      remedy: expect.stringContaining('s3:PutObject on arn:aws:s3:::models/*'),
    });
    expect(translate(denied, 'ListObjectsV2')).toMatchObject({
      remedy: expect.stringContaining('s3:ListBucket'),
    });
  });

  it.each(['InvalidBucketName', 'KeyTooLongError', 'InvalidURI'])(
    '%s is a mistake of whoever gave the name',
    (name) => {
      expect(translate(sdkError(name, 400))).toMatchObject({
        code: 's3-name-refused',
        exitCode: 2,
        facts: { awsCode: name },
        remedy: expect.stringContaining('--to'),
      });
    },
  );

  it.each([
    "char 'H' is not expected.:1:1\n  Deserialization error: to see the raw response, inspect the hidden field {error}.$response on this object.",
    '@aws-sdk XML parse error: unexpected content.\n  Deserialization error: to see the raw response, inspect the hidden field {error}.$response on this object.',
    '@aws-sdk XML parse error: unexpected end of input.',
  ])('is told without what only means something inside the SDK: %s', (message) => {
    expect(translate(sdkError('Error', 200, { message }))).toMatchObject({
      code: 's3-failed',
      facts: { reason: 'the answer is none that S3 gives' },
    });
  });

  it('is told without line breaks of the server and without an empty reason', () => {
    const error = translate(sdkError('SlowDown', 503, { message: 'a\nb' }));
    expect(error).toMatchObject({ facts: { reason: 'a b' } });
    expect(translate(sdkError('ECONN', undefined, { message: '', code: 'ECONNREFUSED' }))).toMatchObject({
      facts: { reason: 'ECONNREFUSED' },
    });
  });

  it('passes unchanged when it is ours or a stop', () => {
    const ours = OptimiseModelError.of('object-missing', { url: 'x' });
    const stop = Object.assign(new Error('stop'), { name: 'AbortError' });
    expect(translate(ours)).toBe(ours);
    expect(translate(stop)).toBe(stop);
    expect(translate('text')).toBe('text');
  });
});

describe('a store that takes no checksums', () => {
  it.each([
    ['NotImplemented', 501, 'x-amz-checksum-crc32 is not implemented', {}],
    [
      'NotImplemented',
      501,
      'A header you provided implies functionality that is not implemented',
      { Header: 'x-amz-checksum-algorithm' },
    ],
    ['InvalidArgument', 400, 'Unsupported header x-amz-sdk-checksum-algorithm', {}],
    ['InvalidRequest', 400, 'aws-chunked encoding is not supported', {}],
    ['InvalidArgument', 400, 'STREAMING-UNSIGNED-PAYLOAD-TRAILER', {}],
    ['MalformedTrailerError', 400, 'The request contained trailing data that was not well-formed', {}],
  ])('is recognised by %s %s %s', (name, status, message, more) => {
    const error = Object.assign(sdkError(name, status, more), { message });
    expect(translate(error)).toMatchObject({
      code: 's3-checksums-refused',
      exitCode: 3,
      remedy: expect.stringContaining('AWS_REQUEST_CHECKSUM_CALCULATION=when_required'),
      message: expect.stringContaining(connection.endpoint),
    });
  });

  it.each([
    ['BadDigest', 400, 'The x-amz-checksum-crc32 you specified did not match what we received', 's3-failed'],
    ['NotImplemented', 501, 'If-None-Match is not implemented', 's3-not-supported'],
    ['InvalidArgument', 400, 'Unsupported header x-amz-tagging', 's3-failed'],
  ])('is not suspected after %s %s %s', (name, status, message, code) => {
    expect(translate(Object.assign(sdkError(name, status), { message }))).toMatchObject({ code });
  });

  it('is not suspected when none were sent', () => {
    const error = Object.assign(sdkError('NotImplemented', 501), { message: 'x-amz-checksum-crc32' });
    const during = { connection: { ...connection, usesChecksums: false }, key: 'k', operation: 'PutObject' };
    expect(translateS3Error(error, during)).toMatchObject({ code: 's3-not-supported' });
  });
});

it('says how long nothing moved', () => {
  const error = sdkError('TimeoutError', undefined);
  error.message = 'x - the request socket timed out after 1500 ms of inactivity (configured by …).';
  expect(translate(error)).toMatchObject({
    code: 's3-unreachable',
    facts: { reason: 'nothing moved on the connection for 1.5 s' },
  });
});
