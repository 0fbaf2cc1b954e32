import { type LinkName, linkNames } from '../../lib/link-names.js';
import { nearestWord } from '../../lib/nearest-word.js';
import { OptimiseModelError } from '../../messages/error.js';
import type { LinkModel } from './link-model.js';

/** A link that has a name, and what its figures rest on. */
export type LinkPreset = {
  readonly model: LinkModel;
  /** Where the figures were published or read. */
  readonly sources: readonly string[];
  /** When they were measured or read, as exactly as the source says: a year and a month. */
  readonly asOf: string;
  /** What is measured, what is derived, and what is assumed. */
  readonly note: string;
};

const even = { jitterMs: 0, perConnectionBytesPerSecond: null };
const deliveryStudy = 'study of where a model of 5.76 GB in 26 files comes from, on one GPU host';
const lambdaDownloads = 'https://medium.com/circuitpeople/serverless-large-file-downloads-to-s3-a11b4ef4788e';
const pickleDownload =
  'https://www.csmonk.com/blog/2024/09/08/Large-S3-file-handling-for-lambdas-no-one-size-to-rule-them-all';
const lambdaLoading = 'https://arxiv.org/abs/2305.13162';
const expressOneZone = 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-performance.html';
const unstatedLatency =
  '20 ms to the first byte are assumed: Lambda itself fetched chunks of 512 KiB from S3 in 36 ms (median).';

/** Links by name. AWS publishes no figure for the network of a function, so all of these are assumptions with a source. */
export const linkPresets: Readonly<Record<LinkName, LinkPreset>> = {
  'lambda-s3': {
    model: { ...even, latencyMs: 20, bytesPerSecond: 90e6 },
    sources: [lambdaDownloads, lambdaLoading],
    asOf: '2018-02',
    note: `S3 to one Lambda function, at its best: downloads of 10 MB to 10 GB reached 400 to 700 Mbit/s, so 50 to 88 MB/s. ${unstatedLatency}`,
  },
  'lambda-s3-slow': {
    model: { ...even, latencyMs: 20, bytesPerSecond: 55e6 },
    sources: [pickleDownload, lambdaLoading],
    asOf: '2024-09',
    note: `S3 to one Lambda function by one stream: 165 MB took 3.0 s of network time, so 55 MB/s. ${unstatedLatency}`,
  },
  'lambda-s3-express': {
    model: { ...even, latencyMs: 5, bytesPerSecond: 90e6 },
    sources: [expressOneZone, lambdaDownloads],
    asOf: '2026-11',
    note: 'S3 Express One Zone to one Lambda function: single-digit milliseconds to the first byte are documented, 5 ms of them assumed; it helps latency, so the rate is that of `lambda-s3`.',
  },
  's3-copy-gpu-host': {
    model: { ...even, latencyMs: 20, bytesPerSecond: Math.round(5.76e9 / 25.06) },
    sources: [deliveryStudy, lambdaLoading],
    asOf: '2026-11',
    note: `S3 to a GPU host by a parallel copy: 5.76 GB in 25.06 s (mean of 3), so 230 MB/s. ${unstatedLatency}`,
  },
  hub: {
    model: { ...even, latencyMs: 20, bytesPerSecond: Math.round(5.76e9 / 29.96) },
    sources: [deliveryStudy],
    asOf: '2026-11',
    note: 'A model hub over the internet to a GPU host: 5.76 GB in 29.96 s (mean of 3), so 192 MB/s; the whole start took from 34.4 s to 79.7 s, a spread that this even link does not have. 20 ms to the first byte are assumed.',
  },
};

/**
 * Finds a link by its name.
 *
 * @param name - One of {@link linkPresets}.
 * @returns The link and what it rests on.
 * @throws `bench-link-unknown` with the nearest name there is.
 */
export function findLinkPreset(name: string): LinkPreset {
  const known = linkNames.find((each) => each === name);
  if (known !== undefined) return linkPresets[known];
  const nearest = nearestWord(name, [...linkNames, 'real']);
  throw OptimiseModelError.of('bench-link-unknown', { name, nearest, known: linkNames });
}
