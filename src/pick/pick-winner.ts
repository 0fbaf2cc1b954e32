import { nameObjective, type Objective, unitOf } from '../lib/objective.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import { type Choice, chooseContender } from './choose-contender.js';
import { type Contender, compareNames } from './compare-candidates.js';
import { explainLoss, explainWin, ratioOf } from './explain-choice.js';
import { judgeCandidate, measureOf, type Standing } from './judge-candidate.js';
import { listCaveats } from './list-caveats.js';
import type { Evidence, PickCandidate } from './pick-candidate.js';
import type { CandidateName, PickLoser, PickResult, PickWinner } from './pick-result.js';
import type { PickOptions, TellsApart } from './pick-rules.js';

type Judged = { readonly candidate: PickCandidate; readonly standing: Standing };

/**
 * Chooses the variant and delivery to ship: filters by what is required, minimises the objective, lets the smaller and
 * simpler ship where measuring tells no difference, and says for every other candidate why it lost. Does not depend on
 * the order of the candidates.
 *
 * @param options - Candidates, objective, requirements.
 * @param tellsApart - Whether measuring tells two of them apart.
 * @returns The winner (null when none is left), the losers with reasons, what could not be compared, and findings.
 */
export function pickWinner(options: PickOptions, tellsApart: TellsApart): PickResult {
  const { objective, require } = options;
  const judged = [...options.candidates]
    .sort(compareNames)
    .map((candidate) => ({ candidate, standing: judgeCandidate(candidate, objective, require) }));
  const choice = chooseContender(listContenders(judged), objective, tellsApart);
  const caveats = choice === null ? [] : listCaveats(choice);
  return {
    objective,
    winner:
      choice === null
        ? null
        : describeWinner(
            choice,
            caveats.map((caveat) => caveat.clause),
          ),
    losers: [
      ...(choice === null ? [] : describeLosers(choice)),
      ...listStanding(judged, 'refused').map((row) => ({
        ...row,
        value: null,
        ratioToWinner: null,
        evidence: [],
      })),
    ],
    notComparable: listStanding(judged, 'not comparable'),
    leftOut: options.leftOut,
    findings: choice === null ? [reportNone(objective, judged)] : caveats.map((caveat) => caveat.finding),
  };
}

function listContenders(judged: readonly Judged[]): readonly Contender[] {
  return judged.flatMap(({ candidate, standing }) =>
    standing.kind === 'competes' ? [{ candidate, value: standing.value }] : [],
  );
}

function listStanding(judged: readonly Judged[], kind: 'refused' | 'not comparable') {
  return judged.flatMap(({ candidate, standing }) =>
    standing.kind === kind ? [{ ...nameOf(candidate), reason: standing.reason }] : [],
  );
}

function describeWinner(choice: Choice, clauses: readonly (string | null)[]): PickWinner {
  const { winner, objective } = choice;
  return {
    ...nameOf(winner.candidate),
    value: winner.value,
    unit: unitOf(objective),
    evidence: listEvidence(winner, objective),
    binding: winner.candidate.binding,
    reason: [explainWin(choice), ...clauses.filter((clause) => clause !== null)].join('; '),
  };
}

function describeLosers(choice: Choice): readonly PickLoser[] {
  return choice.others.map((loser) => ({
    ...nameOf(loser.candidate),
    value: loser.value,
    ratioToWinner: ratioOf(loser, choice.winner),
    evidence: listEvidence(loser, choice.objective),
    reason: explainLoss(loser, choice),
  }));
}

function reportNone(objective: Objective, judged: readonly Judged[]): Finding {
  const reasons = judged.map(
    ({ candidate, standing }) =>
      `${candidate.variantId} by ${candidate.delivery}: ${'reason' in standing ? standing.reason : ''}`,
  );
  return makeFinding('error', 'pick-no-candidate', {
    objective: nameObjective(objective),
    considered: judged.length,
    reasons,
  });
}

function nameOf({ variantId, delivery, startMode, memoryMiB }: PickCandidate): CandidateName {
  return { variantId, delivery, startMode, memoryMiB };
}

function listEvidence({ candidate }: Contender, objective: Objective): readonly Evidence[] {
  return measureOf(candidate, objective)?.evidence ?? [];
}
