import type { Option } from 'commander';
import { commander } from './commander.js';

/**
 * Makes an option that may be given several times, each time with one value or a list with commas; one that takes all
 * following words would swallow the arguments.
 *
 * @param flags - As commander takes them, such as `--redo <step>`.
 * @param description - For the help.
 * @param choices - What is allowed; undefined for anything.
 * @returns The option; its value is an array, undefined when it was not given.
 */
export function repeatable(flags: string, description: string, choices?: readonly string[]): Option {
  const allowed = choices === undefined ? '' : ` (choices: ${choices.join(', ')})`;
  const many = choices === undefined ? 'repeatable' : 'repeatable, or a list with commas';
  return new commander.Option(flags, `${description}; ${many}${allowed}`).argParser(
    (text: string, before: readonly string[] | undefined) => {
      // What is free may hold commas: only words of a list are told apart by them.
      const values = choices === undefined ? [text] : text.split(',').map((value) => value.trim());
      const wrong = choices === undefined ? [] : values.filter((value) => !choices.includes(value));
      if (wrong.length > 0)
        throw new commander.InvalidArgumentError(`Allowed choices are ${choices?.join(', ')}.`);
      return [...new Set([...(before ?? []), ...values])];
    },
  );
}
