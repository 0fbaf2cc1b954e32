import type { CandidateGround } from './describe-candidates.js';
import { findImported, findImportedBefore } from './imported-figures.js';
import { findComparedRow } from './lib/compared-row.js';
import { startModes } from './lib/start-mode.js';
import { listStartModes } from './list-start-modes.js';
import type { Beside } from './measure-candidate.js';

/**
 * Looks over all candidates of a run for what each of them is compared with: a total that counts what passes before the
 * process does not stand beside one that leaves it out, nor real runs beside a machine of another size.
 *
 * @param ground - What was found.
 * @returns What holds for every candidate.
 */
export function lookBeside({ pipeline, variants, bench, imported }: CandidateGround): Beside {
  const names = variants.flatMap(({ id }) =>
    pipeline.bench.deliveries.flatMap((delivery) =>
      startModes.map((startMode) => ({ variantId: id, delivery, startMode })),
    ),
  );
  const isReal = names.some((name) => findImported(imported, name) !== undefined);
  const isKnown = names.some(({ variantId, delivery, startMode }) => {
    const row = bench === null ? undefined : findComparedRow(bench, variantId, delivery)?.row;
    const isOnDemand = startMode === 'on-demand';
    return (
      (row?.environment ?? null) !== null ||
      (isOnDemand &&
        row !== undefined &&
        findImportedBefore(imported, { variantId, delivery, startMode }) !== null)
    );
  });
  return {
    isEnvironmentCounted: listStartModes(pipeline).length > 1 || isReal || isKnown,
    importedMemoryMiB: isReal ? (imported?.memoryMiB ?? null) : null,
  };
}
