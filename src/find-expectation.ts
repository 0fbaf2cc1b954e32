import { nearestWord } from './lib/nearest-word.js';
import { namePossible, nameVariant } from './lib/variant.js';
import { OptimiseModelError } from './messages/error.js';
import { type Finding, makeFinding } from './messages/finding.js';
import { objectSettingsOf } from './object-settings-of.js';
import type { CandidateName } from './pick/pick-result.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import { openModelPlace } from './publish/model-place.js';
import { readCurrent } from './publish/read-current.js';
import { readRelease } from './publish/read-releases.js';
import { objectUrl } from './store/store-url.js';

/** The word for what was chosen before. */
const recorded = 'recorded';

/** The choice that a pick is held against. */
export type Expectation = {
  /** `VARIANT`, `VARIANT:DELIVERY` or `VARIANT:DELIVERY:START`. */
  readonly name: string;
  /** Where it is recorded; null for one that was named. */
  readonly recordedIn: string | null;
};

/** What is expected, null for nothing, and what there is to say of that. */
export type FoundExpectation = { readonly expected: Expectation | null; readonly notes: readonly Finding[] };

/**
 * Finds out which choice is expected.
 *
 * @param pipeline - What is run, with its store.
 * @param asked - A name; `recorded` for the choice of the release that is current in the store, else that of the last run;
 *   undefined for none.
 * @param readLast - Reads what the last run chose; called where no release is current.
 * @param signal - Stops reading.
 * @returns The choice and where it is recorded; a warning where nothing is.
 * @throws `record-wrong`, what the store says, what `readLast` throws.
 */
export async function findExpectation(
  pipeline: Pipeline,
  asked: string | undefined,
  readLast: () => Promise<CandidateName | null>,
  signal: AbortSignal,
): Promise<FoundExpectation> {
  if (asked === undefined) return { expected: null, notes: [] };
  if (asked !== recorded) return { expected: { name: asked, recordedIn: null }, notes: [] };
  const expected = (await readReleased(pipeline, signal)) ?? describeLast(pipeline, await readLast());
  if (expected !== null) return { expected, notes: [] };
  const facts = { storeUrl: pipeline.stage.to, name: pipeline.name, runFolder: pipeline.output };
  return { expected, notes: [makeFinding('warning', 'pick-nothing-recorded', facts)] };
}

async function readReleased(pipeline: Pipeline, signal: AbortSignal): Promise<Expectation | null> {
  const place = await openModelPlace(pipeline.stage.to, pipeline.name, objectSettingsOf(pipeline));
  const current = await readCurrent(place, signal);
  if (current === undefined) return null;
  const { release } = current.record;
  const where = objectUrl(place.store.url, place.keys.release(release));
  const found = await readRelease(place, release, signal);
  if (found === undefined) throw OptimiseModelError.of('object-missing', { url: where });
  if (found.record === null) throw OptimiseModelError.of('record-wrong', { where, problem: found.problem });
  const { variantId, delivery } = found.record.chosen;
  return {
    name: `${variantId}:${delivery}`,
    recordedIn: `the release ${release}, current in ${place.store.url}`,
  };
}

function describeLast({ output }: Pipeline, last: CandidateName | null): Expectation | null {
  if (last === null) return null;
  const { variantId, delivery, startMode } = last;
  return { name: `${variantId}:${delivery}:${startMode}`, recordedIn: `the last run in ${output}` };
}

/**
 * Refuses the name of a variant that a pipeline does not ask for, before anything is measured.
 *
 * @param pipeline - Its variants.
 * @param asked - As for {@link findExpectation}.
 * @throws `pick-expected-unknown`.
 */
export function refuseUnknownExpectation({ variants }: Pipeline, asked: string | undefined): void {
  if (asked === undefined || asked === recorded) return;
  const ids = variants.flatMap(namePossible);
  const [named = ''] = asked.split(':');
  if (ids.includes(named)) return;
  const known = variants.map((variant) => nameVariant(variant).id);
  const nearest = nearestWord(named, [...ids, recorded]);
  throw OptimiseModelError.of('pick-expected-unknown', { expected: asked, known, nearest });
}
