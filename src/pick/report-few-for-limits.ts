import { fewestForP95 } from '../lib/sample-counts.js';
import { makeFinding } from '../messages/finding.js';
import type { Choice } from './choose-contender.js';
import type { Caveat } from './list-caveats.js';
import { nameCandidate } from './name-candidate.js';
import type { PickRules } from './pick-rules.js';
import { listAskedTails } from './refuse-times.js';

/**
 * Says where the winner passed a limit that was asked for by the highest of so few samples that no 95th percentile is
 * known: of one run that says almost nothing.
 *
 * @param choice - The choice.
 * @param rules - What was asked for.
 * @returns One caveat, or nothing.
 */
export function reportFewForLimits({ winner }: Choice, { limits }: PickRules): readonly Caveat[] {
  const passed = listAskedTails(winner.candidate, limits).flatMap(({ name, mostMs, tail }) =>
    tail === null || tail.highestOf === null ? [] : [{ name, mostMs, runs: tail.highestOf }],
  );
  if (passed.length === 0) return [];
  const facts = { winner: nameCandidate(winner.candidate), passed, neededRuns: fewestForP95 };
  return [{ clause: null, finding: makeFinding('info', 'pick-limit-by-highest', facts) }];
}
