import { nameObjective, type Objective, weighMetrics } from '../lib/objective.js';
import { makeFinding } from '../messages/finding.js';
import type { Choice } from './choose-contender.js';
import type { Caveat } from './list-caveats.js';
import { nameCandidate } from './name-candidate.js';
import { type Evidence, evidenceKinds, type PickCandidate } from './pick-candidate.js';

/**
 * Lists what the value that is minimised rests on.
 *
 * @param candidate - One candidate.
 * @param objective - What is minimised.
 * @returns Each once, the surest first; nothing for a size, which rests on nothing but the files.
 */
export function listEvidence(candidate: PickCandidate, objective: Objective): readonly Evidence[] {
  const all = weighMetrics(objective).flatMap(({ metric }) =>
    metric === 'size' ? [] : (candidate.measures[metric]?.evidence ?? []),
  );
  const once = new Map(all.map((one) => [JSON.stringify([one.kind, one.what, one.source]), one]));
  return [...once.values()].toSorted(
    (left, right) => evidenceKinds.indexOf(left.kind) - evidenceKinds.indexOf(right.kind),
  );
}

/**
 * Says where a choice rests on more than what was measured here.
 *
 * @param choice - The choice.
 * @returns What the winner assumes, then whether figures of different places stand side by side.
 */
export function listEvidenceCaveats(choice: Choice): readonly Caveat[] {
  return [...reportAssumptions(choice), ...reportMixture(choice)];
}

function reportAssumptions({ winner, objective }: Choice): readonly Caveat[] {
  const assumptions = pickKind(listEvidence(winner.candidate, objective), 'assumed');
  if (assumptions.length === 0) return [];
  const said = assumptions.map(sayEvidence).join(', ');
  const facts = { winner: nameCandidate(winner.candidate), objective: nameObjective(objective), assumptions };
  return [
    {
      clause: `rests on assumptions: ${said}`,
      finding: makeFinding('info', 'pick-rests-on-assumption', facts),
    },
  ];
}

function reportMixture({ winner, others, objective }: Choice): readonly Caveat[] {
  if (others.length === 0) return [];
  const evidence = [winner, ...others].flatMap(({ candidate }) => listEvidence(candidate, objective));
  const imported = pickKind(evidence, 'imported');
  if (imported.length === 0 || pickKind(evidence, 'measured').length === 0) return [];
  const sources = [...new Set(imported.map(sayEvidence))].sort();
  return [
    {
      clause: 'figures that were measured here stand beside imported ones',
      finding: makeFinding('info', 'pick-mixed-evidence', { objective: nameObjective(objective), sources }),
    },
  ];
}

function pickKind(evidence: readonly Evidence[], kind: Evidence['kind']): readonly Evidence[] {
  return evidence.filter((one) => one.kind === kind);
}

function sayEvidence({ what, source }: Evidence): string {
  return `${what} (${source ?? 'no source'})`;
}
