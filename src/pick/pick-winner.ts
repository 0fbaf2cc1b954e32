import { type Finding, makeFinding } from '../messages/finding.js';
import { type Choice, chooseContender } from './choose-contender.js';
import { type Contender, compareNames } from './compare-candidates.js';
import { explainLoss, explainWin, ratioOf } from './explain-choice.js';
import { judgeCandidate, type Standing } from './judge-candidate.js';
import { listCaveats } from './list-caveats.js';
import type { Objective, PickCandidate, PickLoser, PickOptions, PickResult } from './pick-candidate.js';

type Judged = { readonly candidate: PickCandidate; readonly standing: Standing };

/**
 * Chooses the variant and delivery to ship: filters by what is required, minimises the objective, lets the smaller and
 * simpler ship where measuring tells no difference, and says for every other candidate why it lost. Does not depend on
 * the order of the candidates.
 *
 * @param options - Candidates, objective, requirements.
 * @returns The winner (null when none is left), the losers with reasons, what could not be compared, and findings.
 */
export function pickWinner(options: PickOptions): PickResult {
  const { objective, require } = options;
  const judged = [...options.candidates]
    .sort(compareNames)
    .map((candidate) => ({ candidate, standing: judgeCandidate(candidate, objective, require) }));
  const choice = chooseContender(listContenders(judged), objective);
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
      ...listStanding(judged, 'refused').map((row) => ({ ...row, value: null, ratioToWinner: null })),
    ],
    notComparable: listStanding(judged, 'not comparable'),
    findings: choice === null ? [reportNone(objective, judged)] : caveats.map((caveat) => caveat.finding),
  };
}

function listContenders(judged: readonly Judged[]): readonly Contender[] {
  return judged.flatMap(({ candidate, standing }) =>
    standing.kind === 'competes' ? [{ candidate, value: standing.value }] : [],
  );
}

function listStanding(judged: readonly Judged[], kind: 'refused' | 'not comparable') {
  return judged.flatMap(({ candidate: { variantId, delivery }, standing }) =>
    standing.kind === kind ? [{ variantId, delivery, reason: standing.reason }] : [],
  );
}

function describeWinner(choice: Choice, clauses: readonly (string | null)[]) {
  const { winner, objective } = choice;
  const { variantId, delivery } = winner.candidate;
  return {
    variantId,
    delivery,
    value: winner.value,
    unit: objective === 'size' ? ('bytes' as const) : ('ms' as const),
    reason: [explainWin(choice), ...clauses.filter((clause) => clause !== null)].join('; '),
  };
}

function describeLosers(choice: Choice): readonly PickLoser[] {
  return choice.others.map((loser) => ({
    variantId: loser.candidate.variantId,
    delivery: loser.candidate.delivery,
    value: loser.value,
    ratioToWinner: ratioOf(loser, choice.winner),
    reason: explainLoss(loser, choice),
  }));
}

function reportNone(objective: Objective, judged: readonly Judged[]): Finding {
  const reasons = judged.map(
    ({ candidate, standing }) =>
      `${candidate.variantId} by ${candidate.delivery}: ${'reason' in standing ? standing.reason : ''}`,
  );
  return makeFinding('error', 'pick-no-candidate', { objective, considered: judged.length, reasons });
}
