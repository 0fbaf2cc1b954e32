// The real S3 server behind the link of `bench-link.mjs`, with one large object.
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { versitygw } from '../services/versitygw.mjs';
import { startBenchStore } from './stage-store.mjs';

const [key, objectBytes] = ['object', 128 * 2 ** 20];

/**
 * Starts the server and puts the object there.
 * @param {string} folder - For what a client remembers.
 * @returns {Promise<{ endpoint: string, bucket: string, stop: () => Promise<void> } | null>} The server; null without one.
 */
export async function startLinkedS3(folder) {
  if ((await versitygw.find()) === undefined) return null;
  const store = await startBenchStore(folder);
  const bucket = await store.makeBucket();
  const client = clientFor(store.endpoint);
  await client.send(
    new PutObjectCommand({ Bucket: bucket, Key: key, Body: Buffer.alloc(objectBytes, 0xa5) }),
  );
  client.destroy();
  return { endpoint: store.endpoint, bucket, stop: store.stop };
}

/**
 * Downloads ranges of the object on several connections at once, with signed requests.
 * @param {{ bucket: string }} s3 - The server.
 * @param {string} endpoint - Where it is asked.
 * @param {{ sizeBytes: number, connections: number }} probe - How much in all, on how many connections.
 * @returns {Promise<number>} Bytes per second between the first and the last byte.
 */
export async function downloadFromS3({ bucket }, endpoint, { sizeBytes, connections }) {
  const client = clientFor(endpoint);
  const share = Math.min(objectBytes, Math.ceil(sizeBytes / connections));
  const downloads = await Promise.all(
    Array.from({ length: connections }, async () => {
      const { Body: body } = await client.send(
        new GetObjectCommand({ Bucket: bucket, Key: key, Range: `bytes=0-${share - 1}` }),
      );
      let [firstAtMs, lastAtMs, bytes] = [performance.now(), 0, 0];
      for await (const chunk of body) {
        lastAtMs = performance.now();
        bytes += chunk.length;
      }
      if (bytes !== share) throw new Error(`${bytes} bytes instead of ${share}`);
      return { firstAtMs, lastAtMs };
    }),
  );
  client.destroy();
  const fromMs = Math.min(...downloads.map(({ firstAtMs }) => firstAtMs));
  return (share * connections * 1000) / (Math.max(...downloads.map(({ lastAtMs }) => lastAtMs)) - fromMs);
}

function clientFor(endpoint) {
  return new S3Client({ endpoint, forcePathStyle: true, responseChecksumValidation: 'WHEN_REQUIRED' });
}
