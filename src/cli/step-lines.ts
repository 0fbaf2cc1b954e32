import type { StepEvent } from '../index.js';
import { formatMs } from '../index.js';
import type { CommandSession } from './run-command.js';
import { paint } from './terminal.js';

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
    const { line, reused, durationMs } = event.report;
    const how = reused ? 'reused' : formatMs(durationMs);
    say(
      `${paint(terminal, reused ? 'faint' : 'good', reused ? '↻' : '✓')} ${nameStep(event.report)} ${paint(terminal, 'faint', `(${how})`)} ${line}`,
    );
  };
}

function nameStep({ verb, subject }: { readonly verb: string; readonly subject: string }): string {
  return `${verb.padEnd(8)} ${subject}`.trimEnd();
}
