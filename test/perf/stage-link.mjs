// Downloads over a link of a given rate: how close they come to the time that the link itself needs.
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { startShapedProxy } from '../../dist/bench/link/shaped-proxy.js';
import { useEndpoint } from './stage-store.mjs';

/** What one connection pool of a small function gets from S3. */
const model = { latencyMs: 20, jitterMs: 0, bytesPerSecond: 90e6, perConnectionBytesPerSecond: null };
const mostDeviation = 0.05;

/**
 * Puts the link in front of the store while something is measured.
 * @param {object} setting - `store`; `bucket` and `key` of a large object to check the link itself with; its `sizeBytes`.
 * @param {() => Promise<T>} work - What is measured.
 * @returns {Promise<{ model: object, check: object, result: T }>} The link, what it was seen to do, and what `work` returned.
 * @template T
 */
export async function overLink({ store, bucket, key, sizeBytes }, work) {
  const proxy = await startShapedProxy(new URL(store.endpoint), model);
  try {
    const check = await checkLink(proxy.endpoint, bucket, key, sizeBytes);
    useEndpoint(proxy.endpoint);
    return { model, check, result: await work() };
  } finally {
    useEndpoint(store.endpoint);
    await proxy.close();
  }
}

/**
 * Tells how long the link needs for bytes that are asked for at once.
 * @param {number} sizeBytes - How many.
 * @returns {number} Milliseconds: its rate, and its latency once.
 */
export function linkTimeMs(sizeBytes) {
  return model.latencyMs + (sizeBytes * 1000) / model.bytesPerSecond;
}

/** A link that does not do what was asked of it measures nothing: one plain download shows it. */
async function checkLink(endpoint, bucket, key, sizeBytes) {
  const client = new S3Client({
    endpoint,
    forcePathStyle: true,
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const startedMs = performance.now();
  const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  let seenBytes = 0;
  for await (const chunk of body) seenBytes += chunk.length;
  const wallMs = performance.now() - startedMs;
  client.destroy();
  const bytesPerSecond = (seenBytes * 1000) / (wallMs - model.latencyMs);
  const deviation = bytesPerSecond / model.bytesPerSecond - 1;
  return {
    sizeBytes: seenBytes,
    wallMs,
    bytesPerSecond,
    isMet: seenBytes === sizeBytes && Math.abs(deviation) <= mostDeviation,
  };
}
