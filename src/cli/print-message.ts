import type { OptimiseModelError } from '../messages/error.js';
import type { Finding } from '../messages/finding.js';
import { paint, type Terminal, type Tone } from './terminal.js';

const tones: Readonly<Record<Finding['severity'], Tone>> = { error: 'bad', warning: 'warn', info: 'faint' };

/** A finding as it is shown; one that comes out of a record has a code that this version may not know. */
export type ShownFinding = Omit<Finding, 'code'> & { readonly code: string };

/**
 * Prints findings to stderr: what was found, and what to do; of several of a kind the first, and how many more.
 *
 * @param terminal - What the terminal shows.
 * @param findings - All findings of a command.
 */
export function printFindings(terminal: Terminal, findings: readonly ShownFinding[]): void {
  const kinds = new Map<string, ShownFinding[]>();
  for (const finding of findings) {
    const kind = `${finding.severity} ${finding.code}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), finding]);
  }
  for (const [first, ...others] of kinds.values()) {
    if (first !== undefined) printFinding(terminal, first, others.length);
  }
}

function printFinding(terminal: Terminal, finding: ShownFinding, moreCount: number): void {
  const label = paint(terminal, tones[finding.severity], finding.severity);
  const more = moreCount === 0 ? '' : ` (and ${moreCount} more of this kind)`;
  process.stderr.write(`${label}: ${finding.what}${more}\n`);
  process.stderr.write(paint(terminal, 'faint', `  ${finding.remedy}\n`));
}

/**
 * Prints an error to stderr: what happened, what to do, and with `--verbose` what lies under it.
 *
 * @param terminal - What the terminal shows.
 * @param error - The error.
 */
export function printError(terminal: Terminal, error: OptimiseModelError): void {
  process.stderr.write(`${paint(terminal, 'bad', 'error')}: ${error.message}\n  ${error.remedy}\n`);
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
