import { formatValue } from '../lib/format-value.js';
import type { JsonValue } from '../lib/json.js';
import { nameObjective } from '../lib/objective.js';
import type { Step } from '../pipeline/step.js';
import { nameCandidate } from './name-candidate.js';
import type { PickResult } from './pick-result.js';
import type { PickOptions, TellsApart } from './pick-rules.js';
import { pickWinner } from './pick-winner.js';

/**
 * Makes the step that chooses what to ship; its key is everything the choice rests on.
 *
 * @param options - As {@link pickWinner} takes them.
 * @param tellsApart - As {@link pickWinner} takes it.
 * @returns The step.
 */
export function pickStep(options: PickOptions, tellsApart: TellsApart): Step<PickResult> {
  return {
    verb: 'pick',
    subject: '',
    key: options as unknown as JsonValue,
    ensures: () => Promise.resolve(true),
    call: () => {
      const output = pickWinner(options, tellsApart);
      const verdict = output.winner === null ? 'no' : 'ok';
      return Promise.resolve({ output, line: describePick(output), findings: output.findings, verdict });
    },
  };
}

/** What a finding about the winner comes to in a line that has no room for it. */
const marks: Readonly<Record<string, string>> = {
  'pick-unproven-winner': 'parity not proven',
  'pick-winner-over-budget': 'over budget',
  'pick-bound-winner': 'bound to where it was made',
  'pick-rests-on-assumption': 'rests on an assumption',
  'pick-within-noise': 'within the noise',
  'pick-lead-not-established': 'lead not established',
  'pick-lead-unseen': 'lead rests on times not measured here',
  'pick-few-runs': 'order not established',
};

function describePick({ objective, winner, losers, notComparable, leftOut, findings }: PickResult): string {
  if (winner === null)
    return `no candidate is left of ${losers.length + notComparable.length + leftOut.length}`;
  const value = formatValue(winner.value, winner.unit);
  const said = findings.flatMap(({ code }) => marks[code] ?? []);
  return [nameCandidate(winner), `${nameObjective(objective)} ${value}`, ...said].join(', ');
}
