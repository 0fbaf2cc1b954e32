/**
 * Breaks a line at spaces so that it fits a terminal, with what follows indented.
 *
 * @param line - One line, no escape codes.
 * @param width - Columns; a pipe has no width and gets the line as it is.
 * @param indent - What the further lines begin with.
 * @returns The line, with line breaks in it where needed; a word longer than the width stays whole.
 */
export function wrapLine(line: string, width: number | undefined, indent: string): string {
  if (width === undefined || line.length <= width) return line;
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (longer.length <= width || current.trim() === '') {
      current = longer;
    } else {
      lines.push(current);
      current = `${indent}${word}`;
    }
  }
  return [...lines, current].join('\n');
}
