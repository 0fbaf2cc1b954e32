import type { Expectation } from './find-expectation.js';
import { nearestWord } from './lib/nearest-word.js';
import { OptimiseModelError } from './messages/error.js';
import { type Finding, makeFinding } from './messages/finding.js';
import type { CandidateName, PickResult } from './pick/pick-result.js';

type Named = {
  readonly name: Pick<CandidateName, 'variantId'> & Partial<CandidateName>;
  readonly loss: string;
};

/**
 * Holds a choice against the one that is expected, so that a pipeline notices when it changes.
 *
 * @param picked - The choice.
 * @param expectation - The choice that is expected, by name, and where it is recorded.
 * @returns What has changed and why, as an error; null when the expected one is picked.
 * @throws `pick-expected-unknown` when no candidate has that name, and it is no recorded one.
 */
export function holdExpectation(picked: PickResult, expectation: Expectation): Finding | null {
  const { name: expected, recordedIn } = expectation;
  const { winner, losers, notComparable, leftOut } = picked;
  const isMeant = (name: Named['name']) => listNames(name).includes(expected);
  if (winner !== null && isMeant(winner)) return null;
  const others: readonly Named[] = [
    ...losers.map((loser) => ({ name: loser, loss: loser.reason })),
    ...notComparable.map((row) => ({ name: row, loss: `not comparable: ${row.reason}` })),
    ...leftOut.map((row) => ({ name: { variantId: row.variantId }, loss: row.reason })),
  ];
  const found = others.find(({ name }) => isMeant(name));
  if (found === undefined && recordedIn === null) {
    const names = [...(winner === null ? [] : [winner]), ...others.map(({ name }) => name)];
    const known = [...new Set(names.map(({ variantId }) => variantId))];
    const nearest = nearestWord(expected, [...new Set(names.flatMap(listNames))]);
    throw OptimiseModelError.of('pick-expected-unknown', { expected, known, nearest });
  }
  return makeFinding('error', 'pick-not-expected', {
    expected,
    recordedIn,
    picked: winner === null ? null : (listNames(winner).at(-1) ?? winner.variantId),
    reason: winner?.reason ?? 'no candidate is left',
    loss: (found?.loss ?? 'it is no candidate any more').replace(/\.$/, ''),
  });
}

/**
 * Tells whether findings say that another one is picked than expected.
 *
 * @param findings - Of a run.
 * @returns True when they do: then nothing is published.
 */
export function isUnexpected(findings: readonly Finding[]): boolean {
  return findings.some(({ code }) => code === 'pick-not-expected');
}

/** From the short name to the whole one. */
function listNames({ variantId, delivery, startMode }: Named['name']): readonly string[] {
  if (delivery === undefined) return [variantId];
  return [variantId, `${variantId}:${delivery}`, `${variantId}:${delivery}:${startMode}`];
}
