import { describe, expect, it } from 'vitest';
import { describeDocument, describeObject, ownerOf } from '../../src/aws/object-params.js';
import { connectS3, type S3Connection } from '../../src/aws/s3-connection.js';
import { defaultObjectSettings, type ObjectSettings } from '../../src/lib/object-settings.js';

const env = { AWS_REGION: 'eu-west-1' };
const usual = await connectS3('models', env);

function connection(settings: Partial<ObjectSettings>): S3Connection {
  return { ...usual, settings: { ...defaultObjectSettings, ...settings } };
}

const told = connection({
  tags: { team: 'ml & co', größe: 'a=b+c' },
  encryption: { algorithm: 'aws:kms', kmsKeyId: 'alias/models' },
  storageClass: 'STANDARD_IA',
  expectedBucketOwner: '012345678901',
});

describe('a file of an artifact', () => {
  it.each([
    ['m/objects/d/model.onnx', 'application/octet-stream'],
    ['m/objects/d/model.data', 'application/octet-stream'],
    ['m/objects/d/noending', 'application/octet-stream'],
    ['m/objects/d.json/weights', 'application/octet-stream'],
    ['m/objects/d/tokenizer.json', 'application/json'],
    ['m/objects/d/model.xml', 'application/xml'],
  ])('%s is sent as %s, to be kept for good, and nothing else is said', (key, type) => {
    expect(describeObject(usual, key)).toEqual({
      ContentType: type,
      CacheControl: 'max-age=31536000, immutable',
    });
  });

  it('carries all settings, tags encoded as a query, and never an ACL', () => {
    expect(describeObject(told, 'model.onnx')).toEqual({
      ContentType: 'application/octet-stream',
      CacheControl: 'max-age=31536000, immutable',
      Tagging: 'team=ml%20%26%20co&gr%C3%B6%C3%9Fe=a%3Db%2Bc',
      ServerSideEncryption: 'aws:kms',
      SSEKMSKeyId: 'alias/models',
      StorageClass: 'STANDARD_IA',
      ExpectedBucketOwner: '012345678901',
    });
  });

  it('has no Cache-Control when none is wanted', () => {
    expect(describeObject(connection({ cacheControl: null }), 'm.onnx')).not.toHaveProperty('CacheControl');
  });
});

describe('a document', () => {
  it('that moves is asked for again, one that does not is kept', () => {
    expect(describeDocument(usual, 'p/m/current.json').CacheControl).toBe('no-cache');
    expect(describeDocument(connection({ cacheControl: null }), 'current.json').CacheControl).toBe(
      'no-cache',
    );
    expect(describeDocument(usual, 'p/m/releases/r.json').CacheControl).toContain('immutable');
    expect(describeDocument(usual, 'p/m/objects/d/artifact.json').CacheControl).toContain('immutable');
  });

  it('is encrypted and tagged like the files, but stays in the usual storage class', () => {
    const params = describeDocument(told, 'p/m/current.json');
    expect(params).toMatchObject({ ContentType: 'application/json', SSEKMSKeyId: 'alias/models' });
    expect(params).not.toHaveProperty('StorageClass');
  });
});

describe('the owner of the bucket', () => {
  it('is asked for only when it was named', () => {
    expect(ownerOf(usual)).toEqual({});
    expect(ownerOf(told)).toEqual({ ExpectedBucketOwner: '012345678901' });
  });
});
