import { defineMessage } from './message.js';

/** Where an S3 request went: what every S3 message names. */
export type S3Facts = {
  /** Such as `http://127.0.0.1:7070`, or `Amazon S3 (eu-west-1)`. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Empty when the request was about the bucket. */
  readonly key: string;
  /** Such as `PutObject`. */
  readonly operation: string;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** AWS's error code, or the network's. */
  readonly awsCode: string;
  /** What the server or the network said. */
  readonly reason: string;
  /** The account that was said to own the bucket, where one was. */
  readonly expectedBucketOwner?: string;
};

function place(facts: S3Facts): string {
  const answer = facts.status === 0 ? facts.awsCode : `HTTP ${facts.status} ${facts.awsCode}`;
  return `${facts.operation} s3://${facts.bucket}/${facts.key} at ${facts.endpoint} (${answer})`;
}

const permissions: Readonly<Record<string, string>> = {
  ListObjectsV2: 's3:ListBucket',
  ListMultipartUploads: 's3:ListBucketMultipartUploads',
  DeleteObject: 's3:DeleteObject',
  AbortMultipartUpload: 's3:AbortMultipartUpload',
};

/** To who may not list, S3 says "forbidden" where it means "not there". */
function permissionOf({ operation, bucket }: S3Facts): string {
  if (operation === 'GetObject' || operation === 'HeadObject') {
    return `s3:GetObject on arn:aws:s3:::${bucket}/* and s3:ListBucket on arn:aws:s3:::${bucket}`;
  }
  const permission = permissions[operation] ?? 's3:PutObject';
  return `${permission} on arn:aws:s3:::${bucket}${permission.startsWith('s3:ListBucket') ? '' : '/*'}`;
}

/** What can go wrong between this machine and S3 or a service like it. */
export const s3Messages = {
  's3-unreachable': defineMessage<S3Facts>({
    exit: 3,
    what: (facts) => `No answer to ${place(facts)}: ${facts.reason}.`,
    remedy: () =>
      'Check AWS_ENDPOINT_URL_S3 (or AWS_ENDPOINT_URL), that the server runs and that this machine may reach it. A connection on which nothing moves is given up after OPTIMISE_MODEL_S3_SILENCE_SECONDS.',
  }),
  's3-credentials-missing': defineMessage<S3Facts>({
    exit: 3,
    what: (facts) => `No AWS credentials were found for ${place(facts)}: ${facts.reason}.`,
    remedy: () =>
      'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give the machine a role.',
  }),
  's3-credentials-refused': defineMessage<S3Facts>({
    exit: 3,
    what: (facts) => `The AWS credentials were refused: ${place(facts)}.`,
    remedy: () =>
      'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN (or AWS_PROFILE): wrong, expired or of another server.',
  }),
  's3-access-denied': defineMessage<S3Facts>({
    exit: 3,
    what: (facts) => `Access denied: ${place(facts)}: ${facts.reason}.`,
    remedy: (facts) => {
      const { expectedBucketOwner: owner } = facts;
      const first =
        owner === undefined ? '' : `Check that account ${owner} owns the bucket (--expected-bucket-owner). `;
      return `${first}Give the identity ${permissionOf(facts)}, or use another one (AWS_PROFILE).`;
    },
  }),
  's3-no-such-bucket': defineMessage<S3Facts>({
    exit: 3,
    what: (facts) => `There is no bucket ${facts.bucket}: ${place(facts)}.`,
    remedy: (facts) =>
      `Create it (\`aws s3 mb s3://${facts.bucket}\`), or check the name and AWS_ENDPOINT_URL_S3.`,
  }),
  's3-name-refused': defineMessage<S3Facts>({
    exit: 2,
    what: (facts) => `The server takes no such name: ${place(facts)}: ${facts.reason}.`,
    remedy: () =>
      'Correct the store (`--to`, `stage.to`) or the name (`--name`): a bucket has 3 to 63 lower-case letters, digits, `.` and `-`, a key at most 1,024 bytes.',
  }),
  's3-wrong-region': defineMessage<S3Facts>({
    exit: 3,
    what: (facts) => `The bucket is in another region: ${place(facts)}: ${facts.reason}.`,
    remedy: () => "Set AWS_REGION to the bucket's region.",
  }),
  's3-endpoint-wrong': defineMessage<{ variable: string; value: string }>({
    exit: 2,
    what: (facts) => `${facts.variable} is "${facts.value}", which is no address of a server.`,
    remedy: (facts) =>
      `Set ${facts.variable} to something like http://127.0.0.1:7070, with http:// or https://.`,
  }),
  's3-region-missing': defineMessage<{ bucket: string }>({
    exit: 3,
    what: (facts) => `It is not known in which region bucket ${facts.bucket} is.`,
    remedy: () => 'Set AWS_REGION, or a `region` in the AWS profile.',
  }),
  's3-silence-wrong': defineMessage<{ variable: string; value: string }>({
    exit: 2,
    what: (facts) => `${facts.variable} is "${facts.value}", which is no time in seconds.`,
    remedy: (facts) => `Set ${facts.variable} to a number from 0.001 to 86400, such as 60, or unset it.`,
  }),
  's3-checksums-refused': defineMessage<S3Facts>({
    exit: 3,
    what: (facts) => `The server does not take the checksums of S3: ${place(facts)}: ${facts.reason}.`,
    remedy: () =>
      'Set AWS_REQUEST_CHECKSUM_CALCULATION=when_required (or request_checksum_calculation in the AWS profile): files are then verified by reading them back.',
  }),
  's3-not-supported': defineMessage<S3Facts>({
    exit: 3,
    what: (facts) => `The server does not support this: ${place(facts)}: ${facts.reason}.`,
    remedy: () =>
      'If it refuses checksums, set AWS_REQUEST_CHECKSUM_CALCULATION=when_required: files are then verified by reading them back.',
  }),
  's3-clock-wrong': defineMessage<S3Facts>({
    exit: 3,
    what: (facts) => `The server refused the time of this machine: ${place(facts)}.`,
    remedy: () => "Set this machine's clock.",
  }),
  's3-failed': defineMessage<S3Facts>({
    exit: 3,
    what: (facts) => `${place(facts)} failed: ${facts.reason}.`,
    remedy: () => 'Run the same command again; what has been staged is not sent twice.',
  }),
};
