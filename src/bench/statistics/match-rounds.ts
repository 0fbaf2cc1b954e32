/** What one sample measured, and in which round. */
export type RunValue = {
  /** Round, from 0. */
  readonly run: number;
  readonly value: number;
};

/** The values of two rows, those of the same round together. */
export type MatchedRounds = {
  /** In the order of rounds. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Values of rounds that only the first row has, in the order of rounds. */
  readonly onlyA: readonly number[];
  readonly onlyB: readonly number[];
};

/**
 * Brings together what two rows measured in the same round, since what the machine did then hit both.
 *
 * @param a - The first row's values, in any order.
 * @param b - The second row's.
 * @returns Pairs and the rest; a round that a row has twice pairs once.
 */
export function matchRounds(a: readonly RunValue[], b: readonly RunValue[]): MatchedRounds {
  const waiting = sortByRun(b);
  const pairs: [number, number][] = [];
  const onlyA: number[] = [];
  for (const { run, value } of sortByRun(a)) {
    const at = waiting.findIndex((other) => other.run === run);
    const partner = waiting[at];
    if (partner === undefined) onlyA.push(value);
    else {
      pairs.push([value, partner.value]);
      waiting.splice(at, 1);
    }
  }
  return { pairs, onlyA, onlyB: waiting.map(({ value }) => value) };
}

/**
 * Puts values into the order of rounds.
 *
 * @param values - In any order; not changed.
 * @returns The same, by round, and of one round by value.
 */
export function sortByRun(values: readonly RunValue[]): RunValue[] {
  return values.toSorted((left, right) => left.run - right.run || left.value - right.value);
}
