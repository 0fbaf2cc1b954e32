// Whoever puts errors into words puts all of them.
import './catalogue.js';
import { OptimiseModelError } from './error.js';
import { explainSystemError } from './explain-system-error.js';

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
