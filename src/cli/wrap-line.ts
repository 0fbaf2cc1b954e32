import { displayWidth } from '../lib/wrap-text.js';

/**
 * Breaks lines at spaces so that they fit a terminal, with what follows indented.
 *
 * @param line - One or more lines, no escape codes.
 * @param width - Columns; a pipe has no width and gets the line as it is.
 * @param indent - What the further lines begin with.
 * @returns The line, with line breaks in it where needed; a word longer than the width stays whole.
 */
export function wrapLine(line: string, width: number | undefined, indent: string): string {
  if (width === undefined) return line;
  return line
    .split('\n')
    .map((part) => (displayWidth(part) <= width ? part : wrapPart(part, width, indent)))
    .join('\n');
}

function wrapPart(line: string, width: number, indent: string): string {
  const lines: string[] = [];
  const lead = /^ */.exec(line)?.[0] ?? '';
  let current = lead;
  for (const word of line.slice(lead.length).split(' ')) {
    const longer = current.trim() === '' ? `${current}${word}` : `${current} ${word}`;
    if (displayWidth(longer) <= width || current.trim() === '') {
      current = longer;
    } else {
      lines.push(current);
      current = `${indent}${word}`;
    }
  }
  return [...lines, current].join('\n');
}
