import { OptimiseModelError } from '../messages/error.js';

/** Smallest and largest part of a multipart upload, and how many there may be. */
const multipartLimits = {
  minimumPartBytes: 5 * 1024 ** 2,
  maximumPartBytes: 5 * 1024 ** 3,
  maximumParts: 10_000,
  source: 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html',
  asOf: '2026-11-30',
} as const;

/**
 * Refuses a part size that S3 does not take for an object.
 *
 * @param upload - Size of the object and of its parts, bytes.
 * @throws `s3-part-size-wrong` outside 5 MiB to 5 GiB, or when the object had more than 10,000 parts.
 */
export function refusePartSize(upload: { readonly sizeBytes: number; readonly partSizeBytes: number }): void {
  const { minimumPartBytes, maximumPartBytes, maximumParts } = multipartLimits;
  const { sizeBytes, partSizeBytes } = upload;
  const minimumBytes = Math.max(minimumPartBytes, Math.ceil(sizeBytes / maximumParts));
  if (partSizeBytes >= minimumBytes && partSizeBytes <= maximumPartBytes) return;
  const facts = { partSizeBytes, sizeBytes, minimumBytes, maximumBytes: maximumPartBytes };
  throw OptimiseModelError.of('s3-part-size-wrong', facts);
}
