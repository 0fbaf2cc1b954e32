// The S3 server of `bench-stage.mjs`: one that really stores, on this machine, empty, with credentials of its own.
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { versitygw } from '../services/versitygw.mjs';

/**
 * Starts the server and points the environment of this process, which all children get, at it and at nobody's profile.
 * @param {string} state - Folder for what `stage` remembers between runs.
 * @returns {Promise<object>} `endpoint`, `makeBucket`, `bytesIn`, `emptyBucket`, `stop`.
 */
export async function startBenchStore(state) {
  const server = await versitygw.start();
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
    OPTIMISE_MODEL_STATE: state,
  });
  delete process.env.AWS_PROFILE;
  delete process.env.AWS_SESSION_TOKEN;
  useEndpoint(server.endpoint);
  const client = new S3Client({ endpoint: server.endpoint, forcePathStyle: true });
  let count = 0;
  return {
    endpoint: server.endpoint,
    makeBucket: async () => {
      count += 1;
      const Bucket = `bench-${process.pid}-${count}`;
      await client.send(new CreateBucketCommand({ Bucket }));
      return Bucket;
    },
    bytesIn: (bucket, prefix) => countBytes(join(server.folder, bucket, prefix)),
    // What the server keeps is removed below it: to ask it for each object would take longer.
    emptyBucket: async (bucket) => {
      for (const folder of [server.folder, join(dirname(server.folder), 'sidecar')]) {
        await rm(join(folder, bucket), { recursive: true, force: true });
      }
    },
    stop: server.stop,
  };
}

/**
 * Points the programs that are started from now on at a server.
 * @param {string} endpoint - Its address.
 */
export function useEndpoint(endpoint) {
  process.env.AWS_ENDPOINT_URL_S3 = endpoint;
  process.env.S3_ENDPOINT_URL = endpoint;
}

/**
 * Adds up the files below a folder.
 * @param {string} folder - The folder.
 * @returns {Promise<number>} Bytes.
 */
export async function countBytes(folder) {
  const items = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = items
    .filter((item) => item.isFile())
    .map(async (item) => (await stat(join(item.parentPath ?? item.path, item.name))).size);
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}
