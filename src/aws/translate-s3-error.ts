import type { FactsOf, MessageCode } from '../messages/catalogue.js';
import { OptimiseModelError } from '../messages/error.js';
import type { S3Facts } from '../messages/s3-messages.js';
import type { S3Reading } from './s3-connection.js';

/** What was being done when an error came. */
export type S3Operation = {
  readonly connection: S3Reading;
  readonly key: string;
  /** Name of the API call, such as `PutObject`. */
  readonly operation: string;
};

/** Codes whose facts are where a request went and what was said. */
type S3FactsCode = {
  [Code in MessageCode]: S3Facts extends FactsOf<Code>
    ? FactsOf<Code> extends S3Facts
      ? Code
      : never
    : never;
}[MessageCode];

/** What the SDK attaches to errors of its own. */
type SdkError = Error & {
  readonly $metadata?: { readonly httpStatusCode?: number; readonly attempts?: number };
  readonly code?: unknown;
  /** The header that a refusal is about, from its body. */
  readonly Header?: unknown;
};

const codesByName: Readonly<Record<string, S3FactsCode>> = {
  CredentialsProviderError: 's3-credentials-missing',
  TokenProviderError: 's3-credentials-missing',
  InvalidAccessKeyId: 's3-credentials-refused',
  SignatureDoesNotMatch: 's3-credentials-refused',
  ExpiredToken: 's3-credentials-refused',
  InvalidToken: 's3-credentials-refused',
  InvalidClientTokenId: 's3-credentials-refused',
  // What STS says of a web identity.
  ExpiredTokenException: 's3-credentials-refused',
  InvalidIdentityToken: 's3-credentials-refused',
  IDPRejectedClaim: 's3-credentials-refused',
  // versitygw's word for an access key that it does not know.
  XAdminUserNotFound: 's3-credentials-refused',
  AccessDenied: 's3-access-denied',
  AllAccessDisabled: 's3-access-denied',
  NoSuchBucket: 's3-no-such-bucket',
  InvalidBucketName: 's3-name-refused',
  KeyTooLongError: 's3-name-refused',
  KeyTooLong: 's3-name-refused',
  InvalidURI: 's3-name-refused',
  PermanentRedirect: 's3-wrong-region',
  AuthorizationHeaderMalformed: 's3-wrong-region',
  IllegalLocationConstraintException: 's3-wrong-region',
  NotImplemented: 's3-not-supported',
  RequestTimeTooSkewed: 's3-clock-wrong',
};

const codesByStatus: Readonly<Record<number, S3FactsCode>> = {
  301: 's3-wrong-region',
  401: 's3-access-denied',
  403: 's3-access-denied',
  501: 's3-not-supported',
};

/**
 * Puts an error of the AWS SDK into our words: the one place where that is done. Ours and a stop pass unchanged.
 *
 * @param error - What was thrown.
 * @param during - What was being done.
 * @returns The error to throw; its facts name endpoint, bucket, key, HTTP status and AWS code, and no secret.
 */
export function translateS3Error(error: unknown, during: S3Operation): unknown {
  if (error instanceof OptimiseModelError || !(error instanceof Error) || isStop(error)) return error;
  const status = statusOf(error);
  const awsCode = awsCodeOf(error);
  // An answer to HEAD has no body, so its name says nothing beyond the status.
  const known = codesByName[awsCode] ?? codesByStatus[status];
  const otherwise = isNetworkError(error) ? 's3-unreachable' : 's3-failed';
  const code = isAboutChecksums(error, during) ? 's3-checksums-refused' : (known ?? otherwise);
  const { bucket, endpoint } = during.connection;
  const { expectedBucketOwner: owner } = during.connection.settings;
  const facts: S3Facts = {
    endpoint,
    bucket,
    key: during.key,
    operation: during.operation,
    status,
    awsCode,
    reason: reasonOf(error, awsCode),
    ...(owner === null ? {} : { expectedBucketOwner: owner }),
  };
  return OptimiseModelError.of(code, facts, error);
}

/**
 * Stores other than AWS name what they do not know in the message or as the header, with one of many codes. What they
 * say of bytes that arrived damaged also mentions checksums, and is no refusal of them.
 */
function isAboutChecksums(error: SdkError, { connection }: S3Operation): boolean {
  const status = statusOf(error);
  if (!connection.usesChecksums || (status !== 501 && (status < 400 || status > 422))) return false;
  if (/^(BadDigest|InvalidDigest|XAmzContent.*Mismatch|IncompleteBody)$/.test(error.name)) return false;
  const said = `${error.name} ${error.message} ${String(error.Header ?? '')}`;
  return /x-amz-(checksum|sdk-checksum|trailer)|unsigned-payload-trailer|aws-chunked|malformedtrailer/i.test(
    said,
  );
}

function isStop(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/**
 * Reads the HTTP status from an error of the SDK.
 *
 * @param error - What was thrown.
 * @returns The status; 0 when there was no answer.
 */
export function statusOf(error: unknown): number {
  return (error as SdkError | undefined)?.$metadata?.httpStatusCode ?? 0;
}

/**
 * Reads how often the SDK tried.
 *
 * @param error - What was thrown.
 * @returns Tries, ≥ 1.
 */
export function attemptsOf(error: unknown): number {
  return (error as SdkError | undefined)?.$metadata?.attempts ?? 1;
}

function isNetworkError(error: SdkError): boolean {
  return statusOf(error) === 0 && (typeof error.code === 'string' || error.name === 'TimeoutError');
}

function awsCodeOf(error: SdkError): string {
  return typeof error.code === 'string' && statusOf(error) === 0 ? error.code : error.name;
}

function reasonOf(error: Error, awsCode: string): string {
  const said = Array.from(error.message, (letter) => (letter < ' ' ? ' ' : letter)).join('');
  const silence = /timed out after (\d+) ms of inactivity/.exec(said)?.[1];
  if (silence !== undefined) return `nothing moved on the connection for ${Number(silence) / 1000} s`;
  if (/Deserialization error:|XML parse error/.test(said)) return 'the answer is none that S3 gives';
  const meaningless = said === '' || said === 'UnknownError';
  return meaningless ? awsCode : said.trim().replace(/\.$/, '').slice(0, 300);
}
