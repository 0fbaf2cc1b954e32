import { requirePackage } from './require-package.js';

/**
 * Finds what a mistyped word was meant to be.
 *
 * @param word - As it was given.
 * @param known - The words that would have been right.
 * @returns The one with the fewest edits, or null when that takes the whole word, or more than two edits and more than a
 *   third of it: a suggestion so far away helps nobody.
 */
export function nearestWord(word: string, known: readonly string[]): string | null {
  if (known.length === 0) return null;
  // Only a mistyped word needs it, and every command would wait for it.
  const { closest, distance } = requirePackage('fastest-levenshtein') as typeof import('fastest-levenshtein');
  const nearest = closest(word, known);
  const edits = distance(word, nearest);
  return edits < word.length && edits <= Math.max(2, Math.floor(word.length / 3)) ? nearest : null;
}
