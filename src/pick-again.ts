import type { ImportRow } from './bench/import/import-result.js';
import { type ShippedPick, shipPick } from './describe-shipment.js';
import { explainLeftOut } from './leave-out-variant.js';
import { pickWinner } from './pick/pick-winner.js';
import { preparePick } from './pick-candidates.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import type { RunOutcome } from './run-pipeline.js';
import { tellApart } from './tell-apart.js';

/**
 * Chooses among the candidates of a finished run by other rules, as a question: nothing is recorded, and what is
 * published stays what the run itself picked.
 *
 * @param outcome - From {@link runPipeline} or {@link restoreOutcome}, measured.
 * @param pick - What is minimised and what must hold, start modes and traffic.
 * @param rows - Of real runs that figures may rest on; empty for none.
 * @param memoryMiB - Memory that was measured and is compared at, MiB; null for the first.
 * @returns The choice by these rules, and what it ships as.
 * @throws `pick-imported-memories`, `pick-memory-not-measured`.
 */
export function pickAgain(
  outcome: RunOutcome,
  pick: Pipeline['pick'],
  rows: readonly ImportRow[] = [],
  memoryMiB: number | null = null,
): ShippedPick {
  const asked = { ...outcome, pipeline: { ...outcome.pipeline, pick } };
  const { options, notes } = preparePick(asked, rows, memoryMiB);
  const picked = pickWinner(options, tellApart);
  return shipPick(asked, {
    ...picked,
    findings: [...picked.findings, ...notes, ...explainLeftOut(asked.leftOut)],
  });
}
