import { describeCandidates } from './connect-verbs.js';
import type { PickResult } from './pick/pick-result.js';
import type { PickRules } from './pick/pick-rules.js';
import { pickWinner } from './pick/pick-winner.js';
import type { RunOutcome } from './run-pipeline.js';

/**
 * Chooses among the candidates of a finished run by other rules, as a question: nothing is recorded, and what is
 * published stays what the run itself picked.
 *
 * @param outcome - From {@link runPipeline} or {@link restoreOutcome}, measured.
 * @param rules - What is minimised and what must hold.
 * @returns The choice by these rules.
 */
export function pickAgain(outcome: RunOutcome, rules: PickRules): PickResult {
  const { pipeline, variants, budgets, bench } = outcome;
  const candidates = describeCandidates(pipeline, variants, budgets, bench);
  return pickWinner({ candidates, leftOut: [], ...rules }, () => 'unknown');
}
