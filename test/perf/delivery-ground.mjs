// What benchmarks of deliveries stand on: a real S3 server, and its bucket mounted by s3fs behind the same link.
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startShapedProxy } from '../../dist/bench/link/shaped-proxy.js';
import { s3fs } from '../services/s3fs.mjs';
import { versitygw } from '../services/versitygw.mjs';
import { writeVit } from './vit-model.mjs';

/** The bucket that everything is staged to. */
export const bucket = 'models';

/**
 * Builds the study's model, unless it is there.
 * @param {string} cache - Folder that keeps it.
 * @param {(line: string) => void} log
 * @returns {Promise<string>} Its path.
 */
export async function prepareStudyModel(cache, log) {
  const model = join(cache, 'vit-base-patch8-224.onnx');
  const isThere = await stat(model).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    log('building the model (343 MB, once)');
    await writeVit(model);
  }
  return model;
}

/**
 * Starts the S3 server with an empty bucket, and mounts that through the link.
 * @param {object} link - The link model in front of the mount.
 * @returns {Promise<{ s3: import('../services/versitygw.mjs').RunningS3, environment: Record<string, string>, mount: string | null, whyNoMount: string | null, stop: () => Promise<void> }>}
 *   `environment` is what AWS's clients are to be told; `mount` the bucket as a folder.
 */
export async function startGround(link) {
  const s3 = await versitygw.start();
  await mkdir(join(s3.folder, bucket));
  const environment = {
    AWS_ENDPOINT_URL_S3: s3.endpoint,
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    AWS_REGION: 'us-east-1',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  };
  const whyNoMount = (await s3fs.whyNot()) ?? null;
  if (whyNoMount !== null) return { s3, environment, mount: null, whyNoMount, stop: s3.stop };
  const proxy = await startShapedProxy(new URL(s3.endpoint), link);
  const mounted = await s3fs.start({ ...s3, endpoint: proxy.endpoint }, bucket);
  const stop = async () => {
    await mounted.stop();
    await proxy.close();
    await s3.stop();
  };
  return { s3, environment, mount: mounted.folder, whyNoMount, stop };
}
