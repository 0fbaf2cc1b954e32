import type { ObjectSettings } from '../lib/object-settings.js';
import { OptimiseModelError } from '../messages/error.js';

/**
 * Refuses settings that an S3 Express directory bucket does not take, instead of having every request refused.
 *
 * @param bucket - The directory bucket.
 * @param settings - How objects are to be written.
 * @throws `s3-setting-unfit`, naming all of them.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-differences.html
 */
export function refuseUnfitSettings(bucket: string, settings: ObjectSettings): void {
  const { tags, storageClass, encryption } = settings;
  const unfit = [
    ...(Object.keys(tags).length === 0 ? [] : ['tags']),
    ...(storageClass === null || storageClass === 'EXPRESS_ONEZONE' ? [] : [`storage class ${storageClass}`]),
    ...(encryption?.algorithm === 'aws:kms:dsse' ? ['encryption aws:kms:dsse'] : []),
  ];
  if (unfit.length > 0) throw OptimiseModelError.of('s3-setting-unfit', { bucket, unfit });
}
