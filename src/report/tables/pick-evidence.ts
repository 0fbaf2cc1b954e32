import type { PickReport } from '../documents/pick-result.js';

type Evidence = NonNullable<PickReport['winner']>['evidence'];

const marks = { imported: '†', assumed: '*' } as const;

/**
 * Marks a value that rests on more than what was measured here.
 *
 * @param evidence - What it rests on.
 * @returns Such as ` *`, with its space; empty where everything was measured.
 */
export function markEvidence(evidence: Evidence): string {
  const kinds = (['imported', 'assumed'] as const).filter((kind) =>
    evidence.some((one) => one.kind === kind),
  );
  return kinds.length === 0 ? '' : ` ${kinds.map((kind) => marks[kind]).join('')}`;
}

/**
 * Says what the marks of a choice mean, with every source once.
 *
 * @param pick - The choice.
 * @returns One note per mark that is used, and one of listed prices.
 */
export function noteEvidence({ winner, losers }: PickReport): readonly string[] {
  const shown = losers.filter(({ value }) => value !== null);
  const evidence = [...(winner === null ? [] : [winner]), ...shown].flatMap((row) => row.evidence);
  const cite = (kind: Evidence[number]['kind']) => [
    ...new Set(
      evidence
        .filter((one) => one.kind === kind)
        .map(({ what, source }) => (source === null ? what : `${what}: ${source}`)),
    ),
  ];
  const [assumed, imported, listed] = [cite('assumed'), cite('imported'), cite('listed')];
  return [
    ...(assumed.length === 0 ? [] : [`${marks.assumed} Part of it is assumed. ${assumed.join('; ')}.`]),
    ...(imported.length === 0 ? [] : [`${marks.imported} Of real runs. ${imported.join('; ')}.`]),
    ...(listed.length === 0 ? [] : [`As listed. ${listed.join('; ')}.`]),
  ];
}
