import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { stageArtifact } from '../../src/stage/stage-artifact.js';
import { errorBody, type S3Answer, startScriptedS3 } from '../aws/scripted-s3.js';
import { temporaryFolder, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import { useS3 } from '../services/require-s3.js';

const mebibyteBytes = 1024 ** 2;

it('tells of parts that remain of another file than the one that failed first', async () => {
  const folder = await temporaryFolder();
  const files = { a: Buffer.alloc(12 * mebibyteBytes, 1), b: Buffer.alloc(11 * mebibyteBytes, 2) };
  await writeOpaqueArtifact(join(folder, 'artifact'), files);
  const { endpoint } = await startScriptedS3(({ call, url }): S3Answer | undefined => {
    const isOfB = url.includes('/b?');
    if (call === 'get') {
      const isList = url.includes('list-type');
      return isList
        ? { status: 200, body: '<ListBucketResult/>' }
        : { status: 404, body: errorBody('NoSuchKey') };
    }
    // The other one has begun by then, and is on its way.
    if (call === 'part 2' && !isOfB) return { status: 400, delayMs: 500, body: errorBody('EntityTooLarge') };
    if (call === 'part 1' && isOfB) return { status: 200, hangs: true };
    return call === 'abort' && isOfB ? { status: 403, body: errorBody('AccessDenied') } : undefined;
  });
  useS3({ endpoint, accessKeyId: 'a', secretAccessKey: 'b' });
  process.env.OPTIMISE_MODEL_STATE = join(folder, 'state');
  const how = { partSizeBytes: 5 * mebibyteBytes, concurrency: 2, settings: defaultObjectSettings };
  const staging = stageArtifact({
    artifact: join(folder, 'artifact'),
    to: 's3://bucket',
    name: 'vit',
    ...how,
  });
  await expect(staging).rejects.toMatchObject({
    code: 's3-parts-left',
    facts: { key: expect.stringMatching(/\/b$/), refusal: expect.stringContaining('AccessDenied') },
    cause: { facts: { awsCode: 'EntityTooLarge', key: expect.stringMatching(/\/a$/) } },
  });
});
