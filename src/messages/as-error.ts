import { OptimiseModelError } from './error.js';

const systemCalls: Readonly<Record<string, string>> = {
  open: 'open',
  read: 'read',
  write: 'write to',
  mkdir: 'make the folder',
  scandir: 'list',
  rename: 'rename',
  unlink: 'remove',
  stat: 'look at',
  statfs: 'look at',
  copyfile: 'copy',
};

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

/**
 * Puts anything that was thrown into the catalogue's words.
 *
 * @param thrown - What was caught.
 * @returns The same error when it is ours; `file-system-refused` for the operating system's errors; `interrupted`
 *   for an abort; `internal-error`, with the cause kept, for all else.
 */
export function asOptimiseModelError(thrown: unknown): OptimiseModelError {
  if (thrown instanceof OptimiseModelError) return thrown;
  if (!(thrown instanceof Error)) {
    return OptimiseModelError.of('internal-error', { problem: String(thrown) }, thrown);
  }
  if (thrown.name === 'AbortError') {
    const { cause } = thrown;
    return cause instanceof OptimiseModelError
      ? cause
      : OptimiseModelError.of('interrupted', { by: 'a signal' }, thrown);
  }
  const { code, syscall, path } = thrown as NodeJS.ErrnoException;
  if (code !== undefined && syscall !== undefined) {
    const facts = {
      path: path ?? 'a file',
      operation: systemCalls[syscall] ?? `${syscall} (system call)`,
      reason: explainSystemError(thrown),
    };
    return OptimiseModelError.of('file-system-refused', facts, thrown);
  }
  return OptimiseModelError.of('internal-error', { problem: thrown.message }, thrown);
}
