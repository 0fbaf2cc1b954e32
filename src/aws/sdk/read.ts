/**
 * What reading from S3 uses of the AWS SDK, imported as `#aws-sdk/read`. Bundlers find this module by that name. Node.js
 * finds `read.cjs`, which the build makes of it: the SDK is CommonJS; `import` compiles such a package once to see what
 * it is and searches its whole text, and that of each package below, for the names of its exports, where `require` just
 * runs it. Reading from S3 is loaded in 101 instead of 205 ms that way (the least of 10 processes each, in turn, on a
 * 2-core machine; medians on the busy machine 127 and 291 ms).
 *
 * @see https://nodejs.org/docs/latest-v20.x/api/packages.html#conditional-exports (`node-addons`: set by Node.js alone)
 * @see https://github.com/nodejs/cjs-module-lexer
 */
export {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
export { loadConfig } from '@smithy/core/config';
export { buildQueryString, HttpResponse } from '@smithy/core/protocols';
export {
  AdaptiveRetryStrategy,
  DefaultRateLimiter,
  NODE_MAX_ATTEMPT_CONFIG_OPTIONS,
  NODE_RETRY_MODE_CONFIG_OPTIONS,
} from '@smithy/core/retry';
export { NodeHttpHandler } from '@smithy/node-http-handler';
