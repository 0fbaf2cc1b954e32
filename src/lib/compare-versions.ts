type Version = { readonly numbers: readonly number[]; readonly pre: readonly string[] };

/**
 * Compares two versions as npm does: `1.9.0` is lower than `1.22.0`, a pre-release lower than its release.
 *
 * @param left - Such as `1.22.0` or `1.23.0-dev.20250501`; what follows a `+` does not count.
 * @param right - The other.
 * @returns Negative when `left` is lower, positive when it is higher, 0 when neither; undefined when one is no version.
 * @see https://semver.org/#spec-item-11
 */
export function compareVersions(left: string, right: string): number | undefined {
  const [one, other] = [parseVersion(left), parseVersion(right)];
  if (one === undefined || other === undefined) return undefined;
  for (const [index, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (one.pre.length === 0 || other.pre.length === 0) return other.pre.length - one.pre.length;
  for (const [index, word] of one.pre.entries()) {
    const difference = compareWords(word, other.pre[index]);
    if (difference !== 0) return difference;
  }
  return one.pre.length - other.pre.length;
}

function parseVersion(text: string): Version | undefined {
  const match = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/.exec(text);
  if (match === null) return undefined;
  const [, major, minor, patch = 0, pre] = match;
  return { numbers: [major, minor, patch].map(Number), pre: pre === undefined ? [] : pre.split('.') };
}

/** Numbers by value and below words; a list that ends is lower than one that goes on. */
function compareWords(left: string, right: string | undefined): number {
  if (right === undefined) return 1;
  if (left === right) return 0;
  const [one, other] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (one && other) return Number(left) - Number(right);
  if (one !== other) return one ? -1 : 1;
  return left < right ? -1 : 1;
}
