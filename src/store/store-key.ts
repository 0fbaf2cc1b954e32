import { OptimiseModelError } from '../messages/error.js';

/**
 * Says what is wrong with a relative path from outside, so that none leaves the folder it is used in.
 *
 * @param path - A key, or a file's path in an artifact.
 * @returns The problem, or undefined when it is plain names with `/` between them.
 */
export function problemWithPath(path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (path.includes('\\') || hasControlCharacter(path)) return 'it has a backslash or a control character';
  const names = path.split('/');
  if (names.includes('')) return 'it begins or ends with `/` or has two in a row';
  if (names.some((name) => name === '.' || name === '..')) return 'it has a `.` or `..`';
  return undefined;
}

/**
 * Checks a key before it is joined to a store's root.
 *
 * @param key - Plain names with `/` between them.
 * @returns The same key.
 * @throws `key-wrong` for anything that could leave the root.
 */
export function checkKey(key: string): string {
  const problem = problemWithPath(key);
  if (problem !== undefined) throw OptimiseModelError.of('key-wrong', { key, problem });
  return key;
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) < 32) return true;
  return false;
}
