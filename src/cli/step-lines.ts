import type { StepEvent } from '../api/run.js';
import { formatMs } from '../lib/format-quantity.js';
import type { CommandSession } from './run-command.js';
import { paint } from './terminal.js';
import { wrapLine } from './wrap-line.js';

/**
 * Makes a listener that prints one line per finished step to stderr.
 *
 * @param session - The command's session.
 * @returns The listener.
 */
export function makeStepPrinter({ terminal, say }: CommandSession): (event: StepEvent) => void {
  return (event) => {
    if (event.kind === 'started') return;
    if (event.kind === 'failed') {
      say(`${paint(terminal, 'bad', '✗')} ${nameStep(event)}`);
      return;
    }
    const { line, reused, durationMs, verdict } = event.report;
    const [mark, tone] = reused && verdict === 'ok' ? (['↻', 'faint'] as const) : marks[verdict];
    const text = `${mark} ${nameStep(event.report)} (${reused ? 'reused' : formatMs(durationMs)}) ${line}`;
    say(wrapLine(text, terminal.columns, '  ').replace(mark, paint(terminal, tone, mark)));
  };
}

/** The work of the step is done in each case; what it came to differs. */
const marks = { ok: ['✓', 'good'], partly: ['!', 'warn'], no: ['✗', 'bad'] } as const;

function nameStep({ verb, subject }: { readonly verb: string; readonly subject: string }): string {
  return `${verb.padEnd(8)} ${subject}`.trimEnd();
}
