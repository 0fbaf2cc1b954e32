import { formatMs } from '../lib/format-quantity.js';
import { nameObjective } from '../lib/objective.js';
import { fewestSamples } from '../lib/sample-counts.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import { type Choice, rangeOf } from './choose-contender.js';
import type { Contender } from './compare-candidates.js';
import { nameContender } from './explain-choice.js';
import { measureOf, refuseBudget, refuseParity } from './judge-candidate.js';

/** What has to be known before a winner is trusted; the clause is null where its reason says it already. */
type Caveat = { readonly clause: string | null; readonly finding: Finding };

/**
 * Lists what speaks against shipping the winner without a second look.
 *
 * @param choice - The choice.
 * @returns Clauses for the winner's reason with their findings, the gravest first.
 */
export function listCaveats(choice: Choice): readonly Caveat[] {
  return [
    ...doubtParity(choice),
    ...doubtBudget(choice),
    ...reportNoise(choice),
    ...reportFewRuns(choice),
    ...reportLazyReady(choice),
  ];
}

function doubtParity({ winner }: Choice): readonly Caveat[] {
  return refuseParity(winner.candidate.parity).map((reason) => ({
    clause: `chosen although ${reason}`,
    finding: makeFinding('warning', 'pick-unproven-winner', { winner: nameContender(winner), reason }),
  }));
}

function doubtBudget({ winner }: Choice): readonly Caveat[] {
  return refuseBudget(winner.candidate.budget).map((refusal) => {
    const reason = refusal.replace(/^does/, 'it does');
    return {
      clause: `chosen although ${reason}`,
      finding: makeFinding('warning', 'pick-winner-over-budget', { winner: nameContender(winner), reason }),
    };
  });
}

function reportNoise({ objective, winner, overlapping }: Choice): readonly Caveat[] {
  if (overlapping.length === 0) return [];
  const describeRow = (contender: Contender) => {
    const { min: minMs, max: maxMs } = rangeOf(contender, objective) ?? { min: 0, max: 0 };
    return { name: nameContender(contender), medianMs: contender.value, minMs, maxMs };
  };
  const facts = {
    objective: nameObjective(objective),
    winner: describeRow(winner),
    overlapping: overlapping.map(describeRow),
  };
  return [{ clause: null, finding: makeFinding('info', 'pick-within-noise', facts) }];
}

function reportFewRuns({ objective, winner, others }: Choice): readonly Caveat[] {
  if (measureOf(winner.candidate, objective) === null || others.length === 0) return [];
  const runs = Math.min(...[winner, ...others].map(({ candidate }) => candidate.runs));
  if (runs >= fewestSamples) return [];
  const facts = { objective: nameObjective(objective), runs, neededRuns: fewestSamples };
  return [
    {
      clause: `${runs === 1 ? '1 run does' : `${runs} runs do`} not establish the order`,
      finding: makeFinding('info', 'pick-few-runs', facts),
    },
  ];
}

/** A lazy process is ready before it has touched a model. */
function reportLazyReady({ objective, winner }: Choice): readonly Caveat[] {
  const { delivery, measures } = winner.candidate;
  if (objective !== 'ready' || delivery !== 'lazy') return [];
  const totalMs = measures.total?.value ?? null;
  const total = totalMs === null ? 'was not measured' : `is ${formatMs(totalMs)}`;
  const facts = { winner: nameContender(winner), totalMs };
  return [
    {
      clause: `ready of lazy does not depend on the variant; its total ${total}`,
      finding: makeFinding('info', 'pick-ready-of-lazy', facts),
    },
  ];
}
