import { paintText, type Tone } from '../../lib/paint-text.js';
import { toPlainText } from '../plain-text.js';
import type { TextSettings } from './draw-table.js';

/** A name, a value, and how the value is shown. */
export type Fact = readonly [name: string, value: string, tone?: Tone];

/**
 * Draws names and values below each other.
 *
 * @param title - Said above them.
 * @param facts - Names and values.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function drawFacts(title: string, facts: readonly Fact[], settings: TextSettings): string {
  const width = Math.max(0, ...facts.map(([name]) => name.length));
  const lines = facts.map(
    ([name, value, tone]) =>
      `${paintText(name.padEnd(width), 'faint', settings.colour)}  ${paintText(toPlainText(value), tone ?? 'plain', settings.colour)}`,
  );
  return [paintText(toPlainText(title), 'strong', settings.colour), ...lines].join('\n');
}
