import type { Tone } from '../lib/paint-text.js';
import type { OptimiseModelError } from '../messages/error.js';
import type { Finding } from '../messages/finding.js';
import { paint, type Terminal } from './terminal.js';
import { wrapLine } from './wrap-line.js';

const tones: Readonly<Record<Finding['severity'], Tone>> = { error: 'bad', warning: 'warn', info: 'faint' };

/** A finding as it is shown; one that comes out of a record has a code that this version may not know. */
export type ShownFinding = Omit<Finding, 'code'> & { readonly code: string };

/**
 * Prints findings to stderr: what was found, and what to do; of several of a kind the first, and how many more.
 *
 * @param terminal - What the terminal shows.
 * @param findings - All findings of a command.
 * @param isReported - Whether a report holds all of them: then those of severity `info` are only counted here, unless
 *   `--verbose` asks for them.
 */
export function printFindings(
  terminal: Terminal,
  findings: readonly ShownFinding[],
  isReported: boolean,
): void {
  const isShort = isReported && !terminal.verbose;
  const shown = findings.filter((finding) => !isShort || finding.severity !== 'info');
  const kinds = new Map<string, ShownFinding[]>();
  for (const finding of shown) {
    // Each error counts for itself: one of them may be why the command says no.
    const kind =
      finding.severity === 'error' ? `error ${finding.what}` : `${finding.severity} ${finding.code}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), finding]);
  }
  for (const [first, ...others] of kinds.values()) {
    if (first !== undefined) printFinding(terminal, first, others.length);
  }
  const hidden = findings.length - shown.length;
  if (hidden > 0) {
    const notes = hidden === 1 ? '1 note more is' : `${hidden} notes more are`;
    process.stderr.write(
      `${paint(terminal, 'faint', `${notes} in the reports; --verbose prints them here`)}\n`,
    );
  }
}

function printFinding(terminal: Terminal, finding: ShownFinding, moreCount: number): void {
  const more = moreCount === 0 ? '' : ` (and ${moreCount} more of this kind)`;
  const text = wrapLine(`${finding.severity}: ${finding.what}${more}`, terminal.columns, '  ');
  const label = paint(terminal, tones[finding.severity], finding.severity);
  process.stderr.write(`${text.replace(finding.severity, label)}\n`);
  const remedy = wrapLine(`  ${finding.remedy}`, terminal.columns, '  ');
  process.stderr.write(`${paint(terminal, 'faint', remedy)}\n`);
}

/**
 * Prints an error to stderr: what happened, what to do, and with `--verbose` what lies under it.
 *
 * @param terminal - What the terminal shows.
 * @param error - The error.
 */
export function printError(terminal: Terminal, error: OptimiseModelError): void {
  const message = wrapLine(`error: ${error.message}`, terminal.columns, '  ');
  process.stderr.write(`${message.replace('error', paint(terminal, 'bad', 'error'))}\n`);
  process.stderr.write(`${wrapLine(`  ${error.remedy}`, terminal.columns, '  ')}\n`);
  const isBug = error.exitCode === 70;
  if (!terminal.verbose && !isBug) return;
  for (
    let cause: unknown = isBug ? (error.cause ?? error) : error;
    cause instanceof Error;
    cause = cause.cause
  ) {
    process.stderr.write(paint(terminal, 'faint', `${cause.stack ?? cause.message}\n`));
  }
}
