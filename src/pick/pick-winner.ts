import { type Finding, makeFinding } from '../messages/finding.js';
import { type Contender, compareContenders, compareNames } from './compare-candidates.js';
import { explainLoss, explainWin, ratioOf } from './explain-choice.js';
import { judgeCandidate, metricOfObjective, type Standing } from './judge-candidate.js';
import type { Objective, PickCandidate, PickLoser, PickOptions, PickResult } from './pick-candidate.js';

type Judged = { readonly candidate: PickCandidate; readonly standing: Standing };

/**
 * Chooses the variant and delivery to ship: filters by what is required, minimises the objective, and says for every
 * other candidate why it lost. Does not depend on the order of the candidates.
 *
 * @param options - Candidates, objective, requirements.
 * @returns The winner (null when none is left), the losers with reasons, what could not be compared, and findings.
 */
export function pickWinner(options: PickOptions): PickResult {
  const { objective, require } = options;
  const judged = [...options.candidates]
    .sort(compareNames)
    .map((candidate) => ({ candidate, standing: judgeCandidate(candidate, objective, require) }));
  const contenders = listContenders(judged);
  const [winner, runnerUp] = contenders;
  const refused = listStanding(judged, 'refused');
  const notComparable = listStanding(judged, 'not comparable');
  const losers: PickLoser[] = [
    ...(winner === undefined ? [] : describeLosers(winner, contenders.slice(1), objective)),
    ...refused.map((row) => ({ ...row, value: null, ratioToWinner: null })),
  ];
  return {
    objective,
    winner: winner === undefined ? null : describeWinner(winner, runnerUp, objective),
    losers,
    notComparable,
    findings: [
      ...(winner === undefined ? [reportNone(objective, judged)] : []),
      ...(notComparable.length > 0
        ? [makeFinding('warning', 'pick-not-comparable', { objective, rows: notComparable })]
        : []),
      ...reportNoise(winner, runnerUp, objective),
    ],
  };
}

function listContenders(judged: readonly Judged[]): readonly Contender[] {
  return judged
    .flatMap(({ candidate, standing }) =>
      standing.kind === 'competes' ? [{ candidate, value: standing.value }] : [],
    )
    .sort(compareContenders);
}

function listStanding(judged: readonly Judged[], kind: 'refused' | 'not comparable') {
  return judged.flatMap(({ candidate: { variantId, delivery }, standing }) =>
    standing.kind === kind ? [{ variantId, delivery, reason: standing.reason }] : [],
  );
}

function describeWinner(winner: Contender, runnerUp: Contender | undefined, objective: Objective) {
  const { variantId, delivery } = winner.candidate;
  return {
    variantId,
    delivery,
    value: winner.value,
    unit: objective === 'size' ? ('bytes' as const) : ('ms' as const),
    reason: explainWin(winner, runnerUp, objective),
  };
}

function describeLosers(
  winner: Contender,
  others: readonly Contender[],
  objective: Objective,
): readonly PickLoser[] {
  return others.map((loser) => ({
    variantId: loser.candidate.variantId,
    delivery: loser.candidate.delivery,
    value: loser.value,
    ratioToWinner: ratioOf(loser, winner),
    reason: explainLoss(loser, winner, objective),
  }));
}

function reportNone(objective: Objective, judged: readonly Judged[]): Finding {
  const reasons = judged.map(
    ({ candidate, standing }) =>
      `${candidate.variantId} by ${candidate.delivery}: ${'reason' in standing ? standing.reason : ''}`,
  );
  return makeFinding('error', 'pick-no-candidate', { objective, considered: judged.length, reasons });
}

function reportNoise(
  winner: Contender | undefined,
  runnerUp: Contender | undefined,
  objective: Objective,
): readonly Finding[] {
  const metric = metricOfObjective(objective);
  if (winner === undefined || runnerUp === undefined || metric === null) return [];
  const best = winner.candidate.spreads?.[metric];
  const next = runnerUp.candidate.spreads?.[metric];
  if (best === undefined || next === undefined || next.min > best.max) return [];
  const facts = {
    objective,
    winner: nameCandidate(winner),
    runnerUp: nameCandidate(runnerUp),
    winnerMin: best.min,
    winnerMax: best.max,
    runnerUpMin: next.min,
    runnerUpMax: next.max,
  };
  return [makeFinding('info', 'pick-within-noise', facts)];
}

function nameCandidate({ candidate }: Contender): string {
  return `${candidate.variantId} by ${candidate.delivery}`;
}
