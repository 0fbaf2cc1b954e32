import type { Tone } from '../../lib/paint-text.js';

/** One cell: its words, and how they are shown where colours are. */
export type Cell = {
  readonly text: string;
  readonly tone: Tone;
  /** More of the same kind, each on a line of its own; mostly empty. */
  readonly more: readonly string[];
};

/** One column; numbers stand right, and a wrapping column takes the room that is left. */
export type Column = {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly wraps: boolean;
  /** Whether rows are told apart by it: it is said again wherever a table continues. */
  readonly names: boolean;
};

/** A table in no format yet: terminal, Markdown and HTML are drawn from the same one. */
export type ReportTable = {
  readonly title: string;
  readonly columns: readonly Column[];
  /** As many cells per row as there are columns; the first names the row. */
  readonly rows: readonly (readonly Cell[])[];
  /** Said below the table; empty when there is nothing to say. */
  readonly notes: readonly string[];
};

/**
 * Makes a cell.
 *
 * @param text - Its words.
 * @param tone - How they are shown.
 * @param more - What is said below them, line by line.
 * @returns The cell.
 */
export function cell(text: string, tone: Tone = 'plain', more: readonly string[] = []): Cell {
  return { text, tone, more };
}

/**
 * Describes columns by a short notation.
 *
 * @param titles - `Name` for text, `>Name` for numbers, `~Name` for text that wraps, `#Name` for what names a row.
 * @returns The columns.
 */
export function columns(...titles: readonly string[]): readonly Column[] {
  return titles.map((title) => ({
    title: title.replace(/^[>~#]/, ''),
    align: title.startsWith('>') ? 'right' : 'left',
    wraps: title.startsWith('~'),
    names: title.startsWith('#'),
  }));
}

const tones: Readonly<Record<string, Tone>> = {
  pass: 'good',
  equal: 'good',
  within: 'good',
  fail: 'bad',
  outside: 'bad',
  partial: 'warn',
  inconclusive: 'warn',
  finding: 'warn',
  skipped: 'warn',
  unknown: 'warn',
};

/**
 * Makes the cell of a verdict.
 *
 * @param verdict - Such as `pass`, `fail`, `partial`.
 * @returns The cell, in its tone.
 */
export function verdictCell(verdict: string): Cell {
  return cell(verdict, tones[verdict] ?? 'plain');
}
