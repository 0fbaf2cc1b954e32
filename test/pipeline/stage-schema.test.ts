import { StorageClass } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { archiveClasses, findTagProblem, storageClasses } from '../../src/lib/object-rules.js';
import { defaultObjectSettings, makeObjectSettings } from '../../src/lib/object-settings.js';
import { applyOverrides } from '../../src/pipeline/apply-overrides.js';
import { stageSchema } from '../../src/pipeline/stage-schema.js';

function problemsOf(stage: unknown): readonly string[] {
  return stageSchema.safeParse(stage).error?.issues.map(({ message }) => message) ?? [];
}

describe('the stage section of a pipeline file', () => {
  it('takes everything that S3 can be told about an object', () => {
    const stage = stageSchema.parse({
      to: 's3://models/vit',
      partSizeMiB: 32,
      cacheControl: '',
      tags: { team: 'ml', 'cost centre': 'a/b=c' },
      encryption: { algorithm: 'aws:kms', kmsKeyId: 'alias/models' },
      storageClass: 'GLACIER_IR',
      expectedBucketOwner: '012345678901',
    });
    expect(makeObjectSettings(stage)).toEqual({
      cacheControl: null,
      tags: { team: 'ml', 'cost centre': 'a/b=c' },
      encryption: { algorithm: 'aws:kms', kmsKeyId: 'alias/models' },
      storageClass: 'GLACIER_IR',
      expectedBucketOwner: '012345678901',
      conditionalWrites: true,
    });
  });

  it('leaves everything to the bucket and the size when it says nothing', () => {
    const stage = stageSchema.parse({});
    expect(stage.partSizeMiB).toBeUndefined();
    expect(makeObjectSettings(stage)).toEqual(defaultObjectSettings);
  });

  it.each([
    [{ storageClass: 'GLACIER' }, /cold start.*restored/],
    [{ storageClass: 'DEEP_ARCHIVE' }, /cold start.*restored/],
    [{ expectedBucketOwner: 12345678901 }, /12 digits, in quotes/],
    [{ expectedBucketOwner: '123' }, /12 digits/],
    [{ tags: { a: 1 } }, /in quotes/],
    [{ tags: { 'aws:x': 'y' } }, /do not begin with aws:/],
    [{ encryption: { algorithm: 'AES256', kmsKeyId: 'k' } }, /without kmsKeyId/],
    [{ cacheControl: 'a\r\nx-amz-acl: public-read' }, /plain ASCII/],
  ])('refuses %j', (stage, reason) => {
    expect(problemsOf(stage).join()).toMatch(reason);
  });

  it('knows only storage classes that S3 knows', () => {
    for (const name of [...storageClasses, ...archiveClasses])
      expect(Object.keys(StorageClass)).toContain(name);
  });
});

describe('tags', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));

  it.each([
    [many(10), undefined],
    [many(11), /10 tags/],
    [{ ['k'.repeat(128)]: 'v'.repeat(256) }, undefined],
    [{ ['k'.repeat(129)]: 'v' }, /1 to 128/],
    [{ k: 'v'.repeat(257) }, /at most 256/],
    [{ größe: 'Å 1+1=2 _.:/@-' }, undefined],
    [{ k: 'a,b' }, /letters, digits/],
    [{ '': 'v' }, /1 to 128/],
  ])('%j', (tags, problem) => {
    const found = findTagProblem(tags as Record<string, string>);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(problem);
  });
});

describe('overrides of the stage section', () => {
  const encryption = { algorithm: 'aws:kms', kmsKeyId: 'k' };
  const override = (given: object) =>
    (applyOverrides({ stage: { encryption, tags: { a: 'b' } } }, given, '/') as { stage: object }).stage;

  it('replace the tags and the encryption of the file, the key included', () => {
    expect(override({ sse: 'AES256', tags: { c: 'd' } })).toEqual({
      encryption: { algorithm: 'AES256' },
      tags: { c: 'd' },
    });
  });

  it('can give another key alone', () => {
    expect(override({ sseKmsKeyId: 'other' })).toMatchObject({
      encryption: { algorithm: 'aws:kms', kmsKeyId: 'other' },
    });
  });
});
