/**
 * Process exit codes: 0 done; 1 a check said no; 2 usage, pipeline file or model is wrong; 3 environment, a retry may
 * help; 4 could not judge; 70 a bug in this tool; 130 interrupted.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 70 | 130;

/** One entry of the catalogue: how to say what happened and what to do about it. */
export type Message<Facts> = {
  /** The exit code when this is thrown as an error. */
  readonly exit: ExitCode;
  /** Subject, what was seen, what was expected, with units. */
  readonly what: (facts: Facts) => string;
  /** An order to the reader that names a flag, a command or a permission. */
  readonly remedy: (facts: Facts) => string;
};

/**
 * Gives a catalogue entry its facts' type.
 *
 * @param message - The entry.
 * @returns The same entry.
 */
export function defineMessage<Facts>(message: Message<Facts>): Message<Facts> {
  return message;
}
