/** What a colour stands for; never the only carrier of a meaning. */
export type Tone = 'good' | 'bad' | 'warn' | 'faint' | 'strong' | 'plain';

const codes: Readonly<Record<Tone, readonly [number, number] | null>> = {
  good: [32, 39],
  bad: [31, 39],
  warn: [33, 39],
  faint: [90, 39],
  strong: [1, 22],
  plain: null,
};

/**
 * Colours text for a terminal.
 *
 * @param text - The text.
 * @param tone - What the colour stands for.
 * @param colour - Whether to colour at all.
 * @returns The text, with escape codes or as it was.
 */
export function paintText(text: string, tone: Tone, colour: boolean): string {
  const pair = codes[tone];
  return !colour || pair === null ? text : `\u001b[${pair[0]}m${text}\u001b[${pair[1]}m`;
}
