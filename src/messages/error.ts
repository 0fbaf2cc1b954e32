import type { FactsOf, MessageCode } from './catalogue.js';
import type { ExitCode } from './message.js';
import { findWords, type Words } from './words.js';

/** Work that could not be done: a code and facts of the catalogue, worded there. */
export class OptimiseModelError extends Error {
  override readonly name = 'OptimiseModelError';
  readonly code: MessageCode;
  readonly facts: Readonly<Record<string, unknown>>;
  /** What to do about it. */
  readonly remedy: string;
  readonly exitCode: ExitCode;

  /**
   * @param code - A code of the catalogue.
   * @param facts - Its facts.
   * @param options - The `cause`, whenever there is one.
   */
  private constructor(code: MessageCode, facts: object, words: Words, cause: unknown) {
    super(words.what, cause === undefined ? undefined : { cause });
    this.code = code;
    this.facts = facts as Readonly<Record<string, unknown>>;
    this.remedy = words.remedy;
    this.exitCode = words.exit;
  }

  /**
   * Makes the error of a code.
   *
   * @param code - A code of the catalogue.
   * @param facts - The facts its words are made from.
   * @param cause - The error underneath, whenever there is one.
   * @returns The error, ready to be thrown.
   */
  static of<Code extends MessageCode>(code: Code, facts: FactsOf<Code>, cause?: unknown): OptimiseModelError {
    return new OptimiseModelError(code, facts as object, findWords(code, facts), cause);
  }
}
