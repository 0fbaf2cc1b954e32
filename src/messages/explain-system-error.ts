const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  EMFILE: 'too many files are open',
};

/**
 * Says why the operating system refused something.
 *
 * @param error - Its error.
 * @returns One clause without a full stop; the system's own words where there are none of ours.
 */
export function explainSystemError(error: NodeJS.ErrnoException): string {
  return reasons[error.code ?? ''] ?? error.message;
}
