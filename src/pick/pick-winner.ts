import { type Objective, unitOf } from '../lib/objective.js';
import { type Choice, chooseContender } from './choose-contender.js';
import { compareNames } from './compare-candidates.js';
import { explainLoss, explainWin, ratioOf } from './explain-choice.js';
import { type Judged, judgeCandidate, type Standing } from './judge-candidate.js';
import { type Caveat, listCaveats } from './list-caveats.js';
import { listEvidence } from './list-evidence.js';
import type { PickCandidate } from './pick-candidate.js';
import type { CandidateName, PickLoser, PickResult, PickWinner } from './pick-result.js';
import type { PickOptions, TellsApart, UnmadeVariant } from './pick-rules.js';
import { reportBound } from './report-bound.js';
import { reportNone } from './report-none.js';
import { reportScope } from './report-scope.js';

/**
 * Chooses what to ship: filters by what is required, minimises the objective, lets the smaller and simpler ship where
 * measuring tells no difference, and says for every other candidate why it lost. Does not depend on the order of the
 * candidates.
 *
 * @param options - Candidates, what could not be made, objective, requirements.
 * @param tellsApart - Whether measuring tells two of them apart.
 * @returns The winner (null when none is left), the losers with reasons, what could not be compared, and findings.
 */
export function pickWinner(options: PickOptions, tellsApart: TellsApart): PickResult {
  const { objective, candidates } = options;
  const leftOut = describeLeftOut(options.leftOut);
  const judged = candidates
    .toSorted(compareNames)
    .map((candidate) => ({ candidate, standing: judgeCandidate(candidate, options) }));
  const contenders = judged.filter(({ standing }) => standing.kind === 'competes');
  const choice = chooseContender(
    contenders.map(({ candidate }) => candidate),
    objective,
    tellsApart,
  );
  const caveats = choice === null ? [] : listCaveats(choice, options);
  return {
    objective,
    winner: choice === null ? null : describeWinner(choice, caveats),
    losers: [...(choice === null ? [] : describeLosers(choice)), ...describeRefused(judged, objective)],
    notComparable: listStanding(judged, ['not comparable']).map(({ candidate, reason }) => ({
      ...nameOf(candidate),
      reason,
    })),
    leftOut,
    findings: [
      ...(choice === null ? [reportNone(options, judged, leftOut)] : caveats.map(({ finding }) => finding)),
      ...reportBound(judged, choice, options, tellsApart),
      ...reportScope(choice, options),
    ],
  };
}

function describeLeftOut(leftOut: readonly UnmadeVariant[]): readonly UnmadeVariant[] {
  return leftOut
    .map(({ variantId, reason }) => ({
      variantId,
      reason: `could not be made: ${reason.replace(/\.$/, '')}`,
    }))
    .toSorted((left, right) =>
      left.variantId < right.variantId ? -1 : Number(left.variantId > right.variantId),
    );
}

function listStanding(judged: readonly Judged[], kinds: readonly Standing['kind'][]) {
  return judged.flatMap(({ candidate, standing }) =>
    'reason' in standing && kinds.includes(standing.kind) ? [{ candidate, reason: standing.reason }] : [],
  );
}

function describeWinner(choice: Choice, caveats: readonly Caveat[]): PickWinner {
  const { winner, objective } = choice;
  const clauses = caveats.map(({ clause }) => clause).filter((clause) => clause !== null);
  return {
    ...nameOf(winner.candidate),
    value: winner.value,
    unit: unitOf(objective),
    evidence: listEvidence(winner.candidate, objective),
    binding: winner.candidate.binding,
    reason: [explainWin(choice), ...clauses].join('; '),
  };
}

function describeLosers(choice: Choice): readonly PickLoser[] {
  const { objective, winner } = choice;
  return choice.others.map((loser) => ({
    ...nameOf(loser.candidate),
    value: loser.value,
    ratioToWinner: ratioOf(loser, winner),
    evidence: listEvidence(loser.candidate, objective),
    reason: explainLoss(loser, choice),
  }));
}

function describeRefused(judged: readonly Judged[], objective: Objective): readonly PickLoser[] {
  return listStanding(judged, ['refused', 'bound']).map(({ candidate, reason }) => ({
    ...nameOf(candidate),
    value: null,
    ratioToWinner: null,
    evidence: listEvidence(candidate, objective),
    reason,
  }));
}

function nameOf({ variantId, delivery, startMode, memoryMiB }: PickCandidate): CandidateName {
  return { variantId, delivery, startMode, memoryMiB };
}
