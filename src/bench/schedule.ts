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
