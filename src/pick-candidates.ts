import type { ImportRow } from './bench/import/import-result.js';
import { type CandidateGround, describeCandidates } from './describe-candidates.js';
import { citeRow, selectImported } from './imported-figures.js';
import { type LeftOutVariant, shortenReason } from './leave-out-variant.js';
import { listMemory } from './list-memory.js';
import { OptimiseModelError } from './messages/error.js';
import { type Finding, makeFinding } from './messages/finding.js';
import type { PickCandidate } from './pick/pick-candidate.js';
import type { PickOptions, PickRules } from './pick/pick-rules.js';
import type { Pipeline } from './pipeline/read-pipeline.js';

/** What of a run is chosen from. */
export type PickGround = Omit<CandidateGround, 'imported'> & {
  /** What could not be made, and why. */
  readonly leftOut: readonly LeftOutVariant[];
};

/** What is asked of pick, and what there is to say about what was imported for it. */
export type PickQuestion = { readonly options: PickOptions; readonly notes: readonly Finding[] };

/** What of a pipeline's section pick chooses by. */
function rulesOf({
  pick: { objective, require, limits, invokedThrough },
}: Pipeline): Omit<PickRules, 'compared'> {
  return { objective, require, limits, invokedThrough };
}

/**
 * Puts together what is chosen from.
 *
 * @param run - What every verb found.
 * @param rows - Of real runs; empty for none.
 * @param askedMiB - Memory that candidates are compared at, MiB; null for the first that was measured.
 * @returns What pick is asked.
 * @throws `pick-imported-memories`, `pick-memory-not-measured`.
 */
export function preparePick(
  run: PickGround,
  rows: readonly ImportRow[],
  askedMiB: number | null,
): PickQuestion {
  const { pipeline, leftOut } = run;
  const measuredMiB = [...new Set((run.bench?.rows ?? []).map((row) => row.memoryMiB))];
  const [usualMiB = listMemory(pipeline)[0] ?? null] = measuredMiB;
  if (askedMiB !== null) refuseUnknownMemory(askedMiB, measuredMiB, rows);
  const memoryMiB = askedMiB ?? usualMiB;
  const imported = selectImported(rows, memoryMiB);
  const bench = askedMiB === null ? run.bench : narrowBench(run.bench, askedMiB);
  const candidates = describeCandidates({ ...run, bench, imported });
  const notes = imported === null ? [] : noteUnused([...imported.rows, ...imported.others], candidates);
  const missing = leftOut.map((variant) => ({
    variantId: variant.variantId,
    reason: shortenReason(variant),
  }));
  const compared = { memoryMiB, othersMiB: measuredMiB.filter((each) => each !== memoryMiB) };
  return { options: { ...rulesOf(pipeline), candidates, leftOut: missing, compared }, notes };
}

/** Memory of real runs will do as well. */
function refuseUnknownMemory(
  memoryMiB: number,
  measuredMiB: readonly (number | null)[],
  rows: readonly ImportRow[],
): void {
  if (measuredMiB.includes(memoryMiB) || rows.some((row) => row.memoryMiB === memoryMiB)) return;
  throw OptimiseModelError.of('pick-memory-not-measured', { memoryMiB, measuredMiB });
}

function narrowBench(bench: PickGround['bench'], memoryMiB: number): PickGround['bench'] {
  return bench && { ...bench, rows: bench.rows.filter((row) => row.memoryMiB === memoryMiB) };
}

/** A misspelt name would leave real runs out without a word. */
function noteUnused(rows: readonly ImportRow[], candidates: readonly PickCandidate[]): readonly Finding[] {
  const cold = rows.filter(({ state }) => state === 'cold');
  const unused = cold.filter(
    (row) =>
      !candidates.some(
        ({ variantId, delivery, startMode, memoryMiB }) =>
          variantId === row.variantId &&
          delivery === row.delivery &&
          startMode === row.startMode &&
          memoryMiB === row.memoryMiB,
      ),
  );
  if (unused.length === 0) return [];
  const facts = { rows: unused.map(citeUnused), total: cold.length };
  return [makeFinding('info', 'pick-imported-unused', facts)];
}

function citeUnused(row: ImportRow): string {
  return `${citeRow(row)}, ${row.delivery === null ? 'no delivery' : `by ${row.delivery}`}`;
}
