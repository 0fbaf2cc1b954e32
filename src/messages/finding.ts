import { describe, type FactsOf, type MessageCode } from './catalogue.js';

/** `error` makes a verdict "no"; `warning` is worth a look; `info` is said so that nobody wonders. */
export type Severity = 'error' | 'warning' | 'info';

/** Something a check or a step has to say; it never stops the work. Plain data, ready for JSON. */
export type Finding = {
  readonly code: MessageCode;
  readonly severity: Severity;
  readonly what: string;
  readonly remedy: string;
  readonly facts: Readonly<Record<string, unknown>>;
};

/**
 * Makes a finding in the catalogue's words.
 *
 * @param severity - How much it weighs.
 * @param code - A code of the catalogue.
 * @param facts - The facts its words are made from; JSON-safe.
 * @returns The finding.
 */
export function makeFinding<Code extends MessageCode>(
  severity: Severity,
  code: Code,
  facts: FactsOf<Code>,
): Finding {
  return { code, severity, ...describe(code, facts), facts: facts as Readonly<Record<string, unknown>> };
}
