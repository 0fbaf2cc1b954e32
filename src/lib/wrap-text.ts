const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/**
 * Measures how many columns a text takes on a terminal.
 *
 * @param text - One line without control characters.
 * @returns Columns; wide East Asian characters and those beyond the basic plane take two.
 */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += character.length > 1 || wide.test(character) ? 2 : 1;
  return width;
}

/**
 * Breaks a text into lines at spaces; a word that is too long is broken where the line ends, never cut off.
 *
 * @param text - One line of any length.
 * @param width - Columns per line, ≥ 2.
 * @param keepsWords - Whether a word that is too long gets a longer line instead.
 * @returns At least one line.
 */
export function wrapText(text: string, width: number, keepsWords = false): readonly string[] {
  const lines: string[] = [];
  let line = '';
  const words = text.split(' ');
  for (const word of keepsWords ? words : words.flatMap((whole) => breakWord(whole, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (displayWidth(longer) <= width) {
      line = longer;
    } else {
      if (line !== '') lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function breakWord(word: string, width: number): readonly string[] {
  if (displayWidth(word) <= width) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (displayWidth(piece + character) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}
