/** One place in the order of work: which row is sampled, and for which time, both from 0. */
export type Turn = { readonly row: number; readonly run: number };

/**
 * Orders the samples of a benchmark so that drift of the machine hits all rows alike.
 *
 * Each round samples every row once, and each round begins one row further on, so that no row always follows the same
 * break or the end of a round.
 *
 * @param rowCount - How many rows there are, ≥ 0.
 * @param runs - Samples per row, ≥ 0.
 * @returns `rowCount × runs` turns.
 */
export function interleaveTurns(rowCount: number, runs: number): Turn[] {
  const turns: Turn[] = [];
  for (let run = 0; run < runs; run += 1) {
    for (let place = 0; place < rowCount; place += 1) turns.push({ row: (place + run) % rowCount, run });
  }
  return turns;
}
