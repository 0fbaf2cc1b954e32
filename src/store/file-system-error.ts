import { OptimiseModelError } from '../messages/error.js';
import { explainSystemError } from '../messages/explain-system-error.js';

/**
 * Puts an error of the file system into our words; others pass unchanged.
 *
 * @param error - What was thrown.
 * @param operation - What was tried, such as `write`.
 * @param path - The file or folder.
 * @returns The error to throw.
 */
export function translateFileSystemError(error: unknown, operation: string, path: string): unknown {
  if (!(error instanceof Error) || error.name === 'AbortError' || !isSystemError(error)) return error;
  return OptimiseModelError.of(
    'file-system-refused',
    { path, operation, reason: explainSystemError(error) },
    error,
  );
}

function isSystemError(error: Error): error is NodeJS.ErrnoException {
  return 'syscall' in error && 'code' in error;
}

/**
 * Tells whether an error says that a file or folder is not there.
 *
 * @param error - What was thrown.
 * @returns True for ENOENT and ENOTDIR.
 */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
