/** Encryption at rest that S3 offers. */
export const encryptionAlgorithms = ['AES256', 'aws:kms', 'aws:kms:dsse'] as const;

/** Storage classes whose objects can be read at once. */
export const storageClasses = [
  'STANDARD',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'GLACIER_IR',
  'EXPRESS_ONEZONE',
  'REDUCED_REDUNDANCY',
  'OUTPOSTS',
  'SNOW',
  'FSX_OPENZFS',
  'FSX_ONTAP',
] as const;

/** Storage classes whose objects have to be restored, for hours, before they can be read. */
export const archiveClasses = ['GLACIER', 'DEEP_ARCHIVE'] as const;

/** Why an archive class is refused; follows "must be". */
export const archiveRefusal =
  'one that can be read at a cold start: objects in GLACIER and DEEP_ARCHIVE must be restored first, for hours (GLACIER_IR can be read at once)';

/** An AWS account id. */
export const accountIdPattern = /^\d{12}$/;

/** What may stand in an HTTP header. */
export const headerTextPattern = /^[\x20-\x7e]*$/;

const tagLimits = {
  tags: 10,
  keyLength: 128,
  valueLength: 256,
  letters: /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u,
  source: 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-tagging.html',
  asOf: '2026-11-30',
} as const;

/**
 * Says what S3 would refuse about the tags of an object.
 *
 * @param tags - Values by key.
 * @returns What they must be, to follow "must be"; undefined when they are fine.
 */
export function findTagProblem(tags: Readonly<Record<string, string>>): string | undefined {
  const pairs = Object.entries(tags);
  if (pairs.length > tagLimits.tags) return `${tagLimits.tags} tags at most`;
  for (const [key, value] of pairs) {
    if (key === '' || key.length > tagLimits.keyLength || value.length > tagLimits.valueLength) {
      return `tags with a key of 1 to ${tagLimits.keyLength} characters and a value of at most ${tagLimits.valueLength} (\`${key.slice(0, 40)}\`)`;
    }
    if (!tagLimits.letters.test(key) || !tagLimits.letters.test(value)) {
      return `tags of letters, digits, spaces and _ . : / = + - @ (\`${key.slice(0, 40)}\`)`;
    }
    if (key.toLowerCase().startsWith('aws:')) return `tags that do not begin with aws: (\`${key}\`)`;
  }
  return undefined;
}
