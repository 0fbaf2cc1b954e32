import { defineMessage } from './message.js';

/** A folder store has files half written in place of uploads, and no permissions of AWS. */
function isBucket(storeUrl: string): boolean {
  return storeUrl.startsWith('s3:');
}

/** What can go wrong with uploads to S3, and with what interrupted ones leave there. */
export const uploadMessages = {
  's3-setting-unfit': defineMessage<{ bucket: string; unfit: readonly string[] }>({
    exit: 2,
    what: (facts) =>
      `Bucket ${facts.bucket} is an S3 Express directory bucket, which does not take ${facts.unfit.join(', ')}.`,
    remedy: () =>
      'Leave out `--tag` (`tags`), `--storage-class` (`storageClass`) other than EXPRESS_ONEZONE and `--sse aws:kms:dsse`, or use a general purpose bucket.',
  }),
  's3-parts-left': defineMessage<{
    bucket: string;
    key: string;
    uploadId: string;
    refusal: string;
    first: { code: string; what: string };
  }>({
    exit: 3,
    what: (facts) =>
      `${facts.first.what} The parts that had been sent could not be removed (upload ${facts.uploadId} of s3://${facts.bucket}/${facts.key}: ${facts.refusal}); they cost storage until they are.`,
    remedy: (facts) =>
      `When the server answers and the identity has s3:AbortMultipartUpload, stage again or run \`optimise-model stage --clean --to s3://${facts.bucket}\`: the journal knows it. By hand: \`aws s3api abort-multipart-upload --bucket ${facts.bucket} --key ${facts.key} --upload-id ${facts.uploadId}\`.`,
  }),
  'uploads-swept': defineMessage<{ storeUrl: string; uploads: readonly string[] }>({
    exit: 0,
    what: (facts) =>
      `The parts of multipart uploads that nobody would complete were removed: ${facts.uploads.join(', ')}.`,
    remedy: () => 'Nothing is to be done.',
  }),
  'uploads-left': defineMessage<{ storeUrl: string; uploads: readonly string[] }>({
    exit: 0,
    what: (facts) =>
      `Parts of multipart uploads that nobody will complete could not be removed: ${facts.uploads.join(', ')}; they cost storage until they are.`,
    remedy: ({ storeUrl }) =>
      isBucket(storeUrl)
        ? `Give the identity s3:AbortMultipartUpload and run \`optimise-model stage --clean --to ${storeUrl}\`; a lifecycle rule can do it for all.`
        : `Make the files writable and run \`optimise-model stage --clean --to ${storeUrl}\`, or remove them by hand.`,
  }),
  'uploads-unknown': defineMessage<{ storeUrl: string; refusal: string }>({
    exit: 0,
    what: (facts) =>
      `It could not be seen whether interrupted multipart uploads remain in ${facts.storeUrl}: ${facts.refusal}`,
    remedy: ({ storeUrl }) =>
      isBucket(storeUrl)
        ? 'Give the identity s3:ListBucketMultipartUploads on the bucket; where the server has no such list, a lifecycle rule can remove them.'
        : 'Make the folders of the store readable to this user.',
  }),
  'clean-incomplete': defineMessage<{
    storeUrl: string;
    removed: readonly string[];
    left: readonly { url: string; uploadId: string; refusal: string }[];
  }>({
    exit: 3,
    what: (facts) =>
      `Parts of ${facts.left.length} multipart uploads that nobody will complete remain in ${facts.storeUrl} and cost storage, ${facts.removed.length} were removed; not removed: ${facts.left.map(({ url, uploadId, refusal }) => `upload ${uploadId} of ${url} (${refusal})`).join(', ')}.`,
    remedy: ({ storeUrl }) =>
      isBucket(storeUrl)
        ? `Give the identity s3:AbortMultipartUpload if it was denied, and run \`optimise-model stage --clean --to ${storeUrl}\` again; a lifecycle rule can do it for all.`
        : `Make the files writable and run \`optimise-model stage --clean --to ${storeUrl}\` again, or remove them by hand.`,
  }),
  'journal-refused': defineMessage<{ path: string; reason: string }>({
    exit: 3,
    what: (facts) =>
      `The multipart upload could not be noted in ${facts.path}: ${facts.reason}. Nothing was sent: were it interrupted, nobody would find its parts.`,
    remedy: () => 'Set OPTIMISE_MODEL_STATE to a folder that can be written to.',
  }),
  'state-folder-unsafe': defineMessage<{ path: string; problem: string }>({
    exit: 3,
    what: (facts) =>
      `The folder ${facts.path}, where interrupted uploads are noted, is not this user's alone: ${facts.problem}.`,
    remedy: () => 'Set OPTIMISE_MODEL_STATE to a folder of your own, or have that one removed.',
  }),
  'settings-not-applied': defineMessage<{ storeUrl: string; count: number }>({
    exit: 0,
    what: (facts) =>
      `${facts.count} objects in ${facts.storeUrl} were there already and keep the tags, encryption, storage class and caching they have.`,
    remedy: () => 'Change them in place with `aws s3 cp` onto themselves, or stage under another `--name`.',
  }),
  's3-part-size-wrong': defineMessage<{
    partSizeBytes: number;
    sizeBytes: number;
    minimumBytes: number;
    maximumBytes: number;
  }>({
    exit: 2,
    what: (facts) =>
      `A part of ${facts.partSizeBytes} bytes is not possible on S3 for an object of ${facts.sizeBytes} bytes: ${facts.minimumBytes} to ${facts.maximumBytes} bytes, so that there are at most 10,000 parts.`,
    remedy: () => 'Leave `partSizeMiB` (`--part-size`) out: it is then chosen from the size.',
  }),
};
