import type { TextSettings } from '../api/values.js';
import { paintText, type Tone } from '../lib/paint-text.js';

/** What the streams of this process can show, after flags and environment have been heard. */
export type Terminal = {
  readonly colour: boolean;
  /** Moving bars on stderr. */
  readonly bars: boolean;
  readonly json: boolean;
  readonly verbose: boolean;
  /** How texts on stdout are drawn. */
  readonly text: TextSettings;
  /** Columns of stderr; undefined when it is no terminal. */
  readonly columns: number | undefined;
};

/** Columns of a table in a pipe, and the most that one takes in a terminal. */
const pipedWidth = 110;
const widest = 120;

/** The flags that every command takes. */
export type GlobalFlags = {
  readonly json?: boolean;
  readonly progress?: boolean;
  readonly verbose?: boolean;
};

/**
 * Decides once what the terminal gets: colour and bars only on a terminal, never under NO_COLOR, CI, `--json` or
 * `--no-progress`.
 *
 * @param flags - The global flags.
 * @param env - Environment variables.
 * @param streams - Whether stdout and stderr are terminals, and how wide.
 * @returns The decision.
 * @see https://no-color.org
 */
export function readTerminal(
  flags: GlobalFlags,
  env: NodeJS.ProcessEnv,
  streams: { readonly stdout: boolean; readonly stderr: boolean; readonly columns: number | undefined },
): Terminal {
  const json = flags.json === true;
  const isPlain =
    json || flags.progress === false || Boolean(env.NO_COLOR) || Boolean(env.CI) || env.TERM === 'dumb';
  const colour = !isPlain && streams.stdout && streams.stderr;
  return {
    json,
    verbose: flags.verbose === true,
    columns: streams.stderr ? streams.columns : undefined,
    colour,
    text: {
      colour,
      width: streams.stdout ? Math.min(streams.columns ?? pipedWidth, widest) : pipedWidth,
      // Whoever reads a pipe wants whole names; a terminal would break them anyway.
      keepWords: !streams.stdout,
    },
    bars: !isPlain && streams.stderr,
  };
}

/**
 * Colours a text, if the terminal shows colours.
 *
 * @param terminal - What is shown.
 * @param tone - What the colour stands for.
 * @param text - The text.
 * @returns The text, with escape codes or without.
 */
export function paint(terminal: Terminal, tone: Tone, text: string): string {
  return paintText(text, tone, terminal.colour);
}
