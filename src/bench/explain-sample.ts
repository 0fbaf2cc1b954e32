import { describe, type FactsOf, type MessageCode } from '../messages/catalogue.js';
import type { SampleError } from './bench-result.js';

/**
 * Says why a sample has no figures, in the catalogue's words.
 *
 * @param code - What happened.
 * @param facts - What the words name.
 * @returns The error, as a sample has it.
 */
export function explainSample<Code extends MessageCode>(code: Code, facts: FactsOf<Code>): SampleError {
  return { code, what: describe(code, facts).what };
}
