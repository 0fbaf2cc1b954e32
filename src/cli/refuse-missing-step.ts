import type { RunVerb } from '../api/choices.js';
import type { RunOutcome } from '../api/run.js';
import { OptimiseModelError } from '../messages/error.js';

/**
 * Insists on a step's result.
 *
 * @param outcome - The run.
 * @param verb - The step's verb.
 * @param result - Its result, if the run came to it.
 * @returns The result.
 * @throws step-missing when there is none.
 */
export function refuseMissingStep<Result>(outcome: RunOutcome, verb: RunVerb, result: Result | null): Result {
  if (result === null) throw OptimiseModelError.of('step-missing', { run: outcome.pipeline.name, verb });
  return result;
}
