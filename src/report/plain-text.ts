/**
 * Takes out what could move the cursor, colour the rest or turn text around: names of models, nodes and files are
 * somebody else's.
 *
 * @param text - Any text.
 * @returns One line without control characters.
 */
export function toPlainText(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
