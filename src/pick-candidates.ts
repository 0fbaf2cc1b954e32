import type { ImportRow } from './bench/import/import-result.js';
import { type CandidateGround, describeCandidates } from './describe-candidates.js';
import { citeRow, selectImported } from './imported-figures.js';
import { listMemory } from './list-memory.js';
import { type Finding, makeFinding } from './messages/finding.js';
import type { PickCandidate } from './pick/pick-candidate.js';
import type { PickOptions, PickRules, UnmadeVariant } from './pick/pick-rules.js';
import type { Pipeline } from './pipeline/read-pipeline.js';

/** What of a run is chosen from. */
export type PickGround = Omit<CandidateGround, 'imported'> & {
  /** What could not be made, and why. */
  readonly leftOut: readonly UnmadeVariant[];
};

/** What is asked of pick, and what there is to say about what was imported for it. */
export type PickQuestion = { readonly options: PickOptions; readonly notes: readonly Finding[] };

/** What of a pipeline's section pick chooses by. */
function rulesOf({ pick: { objective, require, limits, invokedThrough } }: Pipeline): PickRules {
  return { objective, require, limits, invokedThrough };
}

/**
 * Puts together what is chosen from.
 *
 * @param run - What every verb found.
 * @param rows - Of real runs; empty for none.
 * @returns What pick is asked.
 * @throws `pick-imported-memories`.
 */
export function preparePick(run: PickGround, rows: readonly ImportRow[]): PickQuestion {
  const { pipeline, leftOut } = run;
  const [memoryMiB = null] = listMemory(pipeline);
  const imported = selectImported(rows, memoryMiB);
  const candidates = describeCandidates({ ...run, imported });
  const notes = imported === null ? [] : noteUnused([...imported.rows, ...imported.others], candidates);
  const missing = leftOut.map(({ variantId, reason }) => ({ variantId, reason }));
  return { options: { ...rulesOf(pipeline), candidates, leftOut: missing }, notes };
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
