import { isOfMachine, type LeftOutVariant, shortenReason } from './leave-out-variant.js';
import { namePossible, nameVariant } from './lib/variant.js';
import { OptimiseModelError } from './messages/error.js';
import { type Finding, makeFinding } from './messages/finding.js';
import { objectSettingsOf } from './object-settings-of.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import { openModelPlace } from './publish/model-place.js';
import { readCurrent } from './publish/read-current.js';
import { readRelease } from './publish/read-releases.js';

/**
 * Holds a release back that would take the place of one whose variant this machine alone cannot make: a shell without an
 * engine is no reason to ship another one.
 *
 * @param pipeline - What is run, with its store.
 * @param leftOut - What the run went on without.
 * @param signal - Stops reading.
 * @returns Why nothing is published; null where nothing speaks against it.
 * @throws What the store says.
 */
export async function holdReplacement(
  pipeline: Pipeline,
  leftOut: readonly LeftOutVariant[],
  signal: AbortSignal,
): Promise<Finding | null> {
  const lacking = leftOut.filter(isOfMachine);
  if (lacking.length === 0) return null;
  const current = await readChosen(pipeline, signal);
  const asked = pipeline.variants.find((variant) => namePossible(variant).includes(current?.variantId ?? ''));
  const found = lacking.find(({ variantId }) => asked && nameVariant(asked).id === variantId);
  if (current === null || found === undefined) return null;
  const { code, remedy } = found;
  const { release, variantId } = current;
  const facts = { release, variant: variantId, code, reason: shortenReason(found), remedy };
  return makeFinding('warning', 'run-held-back-left-out', facts);
}

/** Of what is damaged or gone nothing is known; publishing says so itself. */
async function readChosen(
  pipeline: Pipeline,
  signal: AbortSignal,
): Promise<{ readonly release: string; readonly variantId: string } | null> {
  const place = await openModelPlace(pipeline.stage.to, pipeline.name, objectSettingsOf(pipeline));
  const current = await readCurrent(place, signal).catch((error: unknown) => {
    if (error instanceof OptimiseModelError && error.code === 'record-wrong') return undefined;
    throw error;
  });
  if (current === undefined) return null;
  const { release } = current.record;
  const found = await readRelease(place, release, signal);
  return found?.record == null ? null : { release, variantId: found.record.chosen.variantId };
}
