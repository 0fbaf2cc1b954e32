import { formatMs } from '../lib/format-quantity.js';
import { nameObjective, weighMetrics } from '../lib/objective.js';
import { fewestSamples } from '../lib/sample-counts.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { Choice } from './choose-contender.js';
import { listEvidenceCaveats } from './list-evidence.js';
import { refuseBudget, refuseParity } from './list-refusals.js';
import { nameCandidate } from './name-candidate.js';
import type { PickRules } from './pick-rules.js';
import { listUnjudged } from './refuse-times.js';
import { reportFewForLimits } from './report-few-for-limits.js';
import { reportNoise } from './report-noise.js';
import { reportSnapstart } from './report-snapstart.js';

/** What has to be known before a winner is trusted; the clause is null where its reason says it already. */
export type Caveat = { readonly clause: string | null; readonly finding: Finding };

/**
 * Lists what speaks against shipping the winner without a second look.
 *
 * @param choice - The choice.
 * @param rules - What it was made by.
 * @returns Clauses for the winner's reason with their findings, the gravest first.
 */
export function listCaveats(choice: Choice, rules: PickRules): readonly Caveat[] {
  return [
    ...doubtParity(choice),
    ...doubtBudget(choice),
    ...doubtBinding(choice),
    ...reportSnapstart(choice),
    ...listEvidenceCaveats(choice),
    ...reportNoise(choice),
    ...reportFewRuns(choice),
    ...reportLazyReady(choice),
    ...reportFewForLimits(choice, rules),
    ...reportUnjudged(choice, rules),
  ];
}

function doubtParity({ winner }: Choice): readonly Caveat[] {
  return refuseParity(winner.candidate.parity).map((reason) => ({
    clause: `chosen although ${reason}`,
    finding: makeFinding('warning', 'pick-unproven-winner', {
      winner: nameCandidate(winner.candidate),
      reason,
    }),
  }));
}

function doubtBudget({ winner }: Choice): readonly Caveat[] {
  return refuseBudget(winner.candidate.budget).map((refusal) => {
    const reason = refusal.replace(/^does/, 'it does');
    const facts = { winner: nameCandidate(winner.candidate), reason };
    return {
      clause: `chosen although ${reason}`,
      finding: makeFinding('warning', 'pick-winner-over-budget', facts),
    };
  });
}

function doubtBinding({ winner }: Choice): readonly Caveat[] {
  const { binding } = winner.candidate;
  if (binding === null) return [];
  const facts = { winner: nameCandidate(winner.candidate), binding };
  return [
    {
      clause: `chosen although not portable: ${binding}`,
      finding: makeFinding('warning', 'pick-bound-winner', facts),
    },
  ];
}

function reportFewRuns({ objective, winner, others }: Choice): readonly Caveat[] {
  const isSampled = weighMetrics(objective).some(({ metric }) => metric !== 'size');
  if (!isSampled || others.length === 0) return [];
  // What was only stated has no runs that could be too few.
  const counts = [winner, ...others].map(({ candidate }) => candidate.runs).filter((runs) => runs > 0);
  const runs = Math.min(...counts);
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
  if (delivery !== 'lazy' || !weighMetrics(objective).some(({ metric }) => metric === 'ready')) return [];
  const totalMs = measures.total?.value ?? null;
  const total = totalMs === null ? 'was not measured' : `is ${formatMs(totalMs)}`;
  return [
    {
      clause: `ready of lazy does not depend on the variant; its total ${total}`,
      finding: makeFinding('info', 'pick-ready-of-lazy', {
        winner: nameCandidate(winner.candidate),
        totalMs,
      }),
    },
  ];
}

/** What nobody asked for does not refuse what was not measured, and is not passed silently either. */
function reportUnjudged({ winner }: Choice, { invokedThrough }: PickRules): readonly Caveat[] {
  const limits = listUnjudged(winner.candidate, invokedThrough);
  if (limits.length === 0) return [];
  const facts = {
    winner: nameCandidate(winner.candidate),
    limits: limits.map(({ name, mostMs, source }) => ({ name, mostMs, source })),
  };
  return [{ clause: null, finding: makeFinding('info', 'pick-limit-not-judged', facts) }];
}
