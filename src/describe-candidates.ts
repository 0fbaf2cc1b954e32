import type { BenchResult, BenchRow } from './bench/bench-result.js';
import type { BudgetRow, CheckResult } from './check/check-budgets.js';
import { describeBinding } from './describe-binding.js';
import { sizeEphemeral } from './ephemeral-need.js';
import { explainImpossible, findBudget } from './find-exclusions.js';
import type { ImportedRuns } from './imported-figures.js';
import { type ComparedRow, findComparedRow } from './lib/compared-row.js';
import type { Delivery } from './lib/delivery.js';
import { type StartMode, startModes } from './lib/start-mode.js';
import { listStartModes, listUnfit } from './list-start-modes.js';
import { lookBeside } from './look-beside.js';
import { type Beside, type MeasuredCandidate, measureCandidate } from './measure-candidate.js';
import type { PickCandidate } from './pick/pick-candidate.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import type { RunVariant } from './run-pipeline.js';
import type { ParityResult } from './validate/parity-result.js';

/** What every verb found about the variants of a run. */
export type CandidateGround = {
  readonly pipeline: Pipeline;
  readonly variants: readonly RunVariant[];
  /** Null when check was not asked. */
  readonly budgets: CheckResult | null;
  /** Null when nothing was measured. */
  readonly bench: BenchResult | null;
  /** Real runs that figures may rest on; null for none. */
  readonly imported: ImportedRuns | null;
};

/**
 * Puts what every verb found about each variant × delivery × start mode side by side, for the choice. What was imported of
 * a start mode is considered even where the pipeline does not ask for it.
 *
 * @param ground - What was found.
 * @returns One candidate each.
 */
export function describeCandidates(ground: CandidateGround): readonly PickCandidate[] {
  const { pipeline, variants, imported } = ground;
  const asked = listStartModes(pipeline);
  const beside = lookBeside(ground);
  return variants.flatMap((variant) =>
    pipeline.bench.deliveries.flatMap((delivery) => {
      const place = placeCandidate(ground, variant, delivery);
      const isImported = (startMode: StartMode) =>
        (imported?.rows ?? []).some(
          (row) => row.variantId === variant.id && row.delivery === delivery && row.startMode === startMode,
        );
      return startModes
        .filter((startMode) => asked.includes(startMode) || isImported(startMode))
        .map((startMode) => describeCandidate(ground, place, startMode, beside));
    }),
  );
}

type Place = {
  readonly variant: RunVariant;
  readonly delivery: Delivery;
  readonly budget: BudgetRow | undefined;
  readonly found: ComparedRow<BenchRow> | undefined;
};

function placeCandidate({ budgets, bench }: CandidateGround, variant: RunVariant, delivery: Delivery): Place {
  const budget = findBudget(budgets, variant.id, delivery);
  const found = bench === null ? undefined : findComparedRow(bench, variant.id, delivery);
  return { variant, delivery, budget, found };
}

function describeCandidate(
  ground: CandidateGround,
  place: Place,
  startMode: StartMode,
  beside: Beside,
): PickCandidate {
  const { variant, delivery, budget, found } = place;
  const { record, parity } = variant;
  const { bench, imported, pipeline } = ground;
  const name = { variantId: variant.id, delivery, startMode };
  const measured: MeasuredCandidate = measureCandidate({
    ...{ name, found, imported, pipeline, beside },
    samples: bench?.samples ?? [],
  });
  const impossible = explainImpossible(record.variant, delivery);
  return {
    ...name,
    engine: record.variant.engine,
    layout: record.variant.layout,
    sizeBytes: record.sizeBytes,
    deployedBytes: sumDeployed(record.sizeBytes, delivery, budget),
    binding: describeBinding(record.requires),
    parity: parity && { verdict: parity.verdict, reason: sayParity(parity) },
    budget: budget === undefined ? null : { verdict: budget.verdict, reason: budget.reason },
    unfit: [
      ...(impossible === null ? [] : [impossible]),
      ...listUnfit(startMode, delivery, sizeEphemeral(record, delivery, budget)),
    ],
    ...measured,
  };
}

/** The package holds runtime and loader always, and the artifact only where that is a layer. */
function sumDeployed(sizeBytes: number, delivery: Delivery, budget: BudgetRow | undefined): number {
  const packedBytes = budget?.lines.find((line) => line.budget === 'unzipped')?.usedBytes;
  if (packedBytes === undefined) return sizeBytes;
  return delivery === 'layer' ? packedBytes : packedBytes + sizeBytes;
}

/** One clause; the whole story is in the parity table. */
function sayParity({ verdict, reason, outputs }: ParityResult): string {
  const outside = outputs.filter((output) => output.outsideCount > 0);
  if (verdict !== 'fail' || outside.length === 0) return reason;
  return outside
    .map(({ name, outsideCount, count }) => `${outsideCount} of ${count} elements of \`${name}\` outside`)
    .join(', ');
}
