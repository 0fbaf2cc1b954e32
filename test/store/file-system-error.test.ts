import { describe, expect, it } from 'vitest';
import { asOptimiseModelError } from '../../src/messages/as-error.js';
import { translateFileSystemError } from '../../src/store/file-system-error.js';

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: raw words, write`), { code, syscall: 'write', errno: -1 });
}

describe('an error of the file system', () => {
  it.each([
    ['ENOSPC', 'the disk is full'],
    ['EROFS', 'the file system is read-only'],
    ['EACCES', 'permission denied'],
    ['EXYZ', 'EXYZ: raw words, write'],
  ])('%s is told in the same words wherever it comes up', (code, reason) => {
    const error = systemError(code);
    expect(translateFileSystemError(error, 'write', '/x')).toMatchObject({
      code: 'file-system-refused',
      facts: { path: '/x', operation: 'write', reason },
      cause: error,
    });
    expect(asOptimiseModelError(error)).toMatchObject({ facts: { reason } });
  });
});
