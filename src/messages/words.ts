import type { FactsOf, MessageCode } from './catalogue.js';
import type { ExitCode, Message } from './message.js';
import { openingMessages } from './opening-messages.js';

/** What this process can put into words: what a handler needs, and everything where the whole catalogue is loaded. */
const known = new Map<string, Message<never>>(Object.entries(openingMessages));

/** What an error says. */
export type Words = { readonly what: string; readonly remedy: string; readonly exit: ExitCode };

/**
 * Adds messages to those that errors of this process can be put into.
 *
 * @param messages - By code.
 */
export function addMessages(messages: Readonly<Record<string, Message<never>>>): void {
  for (const [code, message] of Object.entries(messages)) known.set(code, message);
}

/**
 * Puts the code and facts of an error into words.
 *
 * @param code - A code of the catalogue.
 * @param facts - The facts of that code.
 * @returns What happened, what to do about it, and the exit code.
 */
export function findWords<Code extends MessageCode>(code: Code, facts: FactsOf<Code>): Words {
  const message = known.get(code) as Message<FactsOf<Code>> | undefined;
  if (message !== undefined) {
    return { what: message.what(facts), remedy: message.remedy(facts), exit: message.exit };
  }
  const what = `${code}: ${JSON.stringify(facts)}`;
  return { what, remedy: 'Import `optimise-model`, which has the words for it.', exit: 70 };
}
