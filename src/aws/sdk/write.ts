/**
 * What writing to S3 uses of the AWS SDK beyond reading, imported as `#aws-sdk/write`; a module of its own, since the
 * bundle of a handler would name all of it.
 *
 * @see `#aws-sdk/read` for why
 */
export {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
