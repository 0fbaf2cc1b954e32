/** One place in the order of work: which row is sampled, and for which time, both from 0. */
export type Turn = { readonly row: number; readonly run: number };

/**
 * Orders the rows of one round so that drift of the machine hits all rows alike: each round samples every row once, and
 * begins one row further on, so that no row always follows the same break or the end of a round.
 *
 * @param rowCount - How many rows there are, ≥ 0.
 * @param run - Which round, from 0.
 * @returns Places of rows, from 0.
 */
export function orderRound(rowCount: number, run: number): number[] {
  return Array.from({ length: rowCount }, (_unused, place) => (place + run) % rowCount);
}

/**
 * Orders the samples of several rounds, one round after the other.
 *
 * @param rowCount - How many rows there are, ≥ 0.
 * @param runs - Samples per row, ≥ 0.
 * @returns `rowCount × runs` turns.
 */
export function interleaveTurns(rowCount: number, runs: number): Turn[] {
  return Array.from({ length: runs }, (_unused, run) =>
    orderRound(rowCount, run).map((row) => ({ row, run })),
  ).flat();
}
