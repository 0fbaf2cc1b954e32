import { type CacheState, cacheTitles } from './cache-state.js';

/** What is read of a row of a benchmark to find it. */
type MeasuredRow = {
  readonly variantId: string;
  readonly delivery: string;
  readonly memoryMiB: number | null;
  readonly cache: CacheState;
  /** Samples taken, failed ones included. */
  readonly runs: number;
  readonly failures: number;
};

/** Rows with the state that most samples of all of them were in. */
type MeasuredRows<Row> = { readonly rows: readonly Row[]; readonly cache: { readonly state: CacheState } };

/** What a variant × delivery is compared by. */
export type ComparedRow<Row> = {
  /** In the benchmark's usual state; where it has none, that of most of its samples, to be shown and not compared. */
  readonly row: Row;
  /** Over all states. */
  readonly failures: number;
  /** Why it stands beside no other row: null when it does. */
  readonly notComparable: string | null;
};

/**
 * Finds the row that a variant × delivery is compared by and shown with: of the first memory profile, in the state of
 * the page cache that most of the benchmark is in. Figures of different states tell nothing of each other, and a stray
 * sample or two tell nothing of the rest.
 *
 * @param bench - All rows, those of the first profile first.
 * @param variantId - The variant.
 * @param delivery - The delivery.
 * @returns The row and whether it may be compared; undefined where nothing was measured.
 */
export function findComparedRow<Row extends MeasuredRow>(
  bench: MeasuredRows<Row>,
  variantId: string,
  delivery: string,
): ComparedRow<Row> | undefined {
  const own = bench.rows.filter(
    (row) =>
      row.variantId === variantId &&
      row.delivery === delivery &&
      row.memoryMiB === (bench.rows[0]?.memoryMiB ?? null),
  );
  const [first, ...others] = own;
  if (first === undefined) return undefined;
  const most = others.reduce((best, row) => (row.runs > best.runs ? row : best), first);
  const usual = own.find((row) => row.cache === bench.cache.state);
  const failures = own.reduce((sum, row) => sum + row.failures, 0);
  if (usual !== undefined && isMostOf(usual, own)) return { row: usual, failures, notComparable: null };
  return { row: most, failures, notComparable: explain(most, own, bench.cache.state) };
}

/**
 * Tells whether a row holds at least half of the samples of its variant × delivery × memory, or only strays.
 *
 * @param row - The row.
 * @param rows - All rows, or those beside it.
 * @returns Whether it stands for the rest.
 */
export function isMostOf(row: MeasuredRow, rows: readonly MeasuredRow[]): boolean {
  return 2 * row.runs >= countRuns(rows.filter((other) => hasSameName(other, row)));
}

/**
 * Tells whether two rows differ at most by their cache state.
 *
 * @param row - One row.
 * @param other - The other.
 * @returns Whether variant, delivery and memory are the same.
 */
export function hasSameName(
  row: Omit<MeasuredRow, 'cache' | 'runs' | 'failures'>,
  other: Omit<MeasuredRow, 'cache' | 'runs' | 'failures'>,
): boolean {
  return (
    row.variantId === other.variantId && row.delivery === other.delivery && row.memoryMiB === other.memoryMiB
  );
}

function countRuns(rows: readonly MeasuredRow[]): number {
  return rows.reduce((sum, row) => sum + row.runs, 0);
}

function explain(row: MeasuredRow, own: readonly MeasuredRow[], usual: CacheState): string {
  const found = `${row.runs} of ${countRuns(own)} samples are of "${nameState(row.cache)}"`;
  return `${found}, most of this benchmark of "${nameState(usual)}": ${remedyOf(row.cache)}`;
}

function remedyOf(state: CacheState): string {
  if (state === 'memory') return 'put the run folder (`--output`) and TMPDIR on a disk, then measure again';
  if (state === 'unknown') return 'see `optimise-model doctor` for what residency takes, then measure again';
  if (state === 'warm') return 'end what keeps its files open, or measure all with `--cache warm`';
  return 'measure all with `--cache warm`, or give every row what this one had (`optimise-model doctor`)';
}

/** Titles alone do not tell all states apart. */
function nameState(state: CacheState): string {
  return state === 'memory' ? `${cacheTitles.memory} (memory)` : cacheTitles[state];
}
