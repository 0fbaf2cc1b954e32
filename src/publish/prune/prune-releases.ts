import type { ObjectSettings } from '../../lib/object-settings.js';
import { quietContext, type WorkContext } from '../../lib/work-context.js';
import { type Finding, makeFinding } from '../../messages/finding.js';
import { openStore } from '../../store/open-store.js';
import type { WritableStore } from '../../store/store.js';
import { findNames } from '../find-names.js';
import { type ModelPlace, placeOf } from '../model-place.js';
import { refuseNothingThere } from '../refuse-nothing-there.js';
import { pruneModel } from './prune-model.js';
import type { PrunedFolder, PrunedModel, PruneResult } from './prune-result.js';
import { sweepUploads } from './sweep-uploads.js';

/** What is pruned. */
export type PruneOptions = {
  readonly storeUrl: string;
  /** The model's name in the store; null for all that are found. */
  readonly name: string | null;
  /** Newest releases of each model that stay, ≥ 1; null for all. */
  readonly keep: number | null;
  /** How old anything must be that is removed, ms. */
  readonly graceMs: number;
  readonly isDryRun: boolean;
  readonly settings: ObjectSettings;
  readonly now: Date;
};

/**
 * Removes what no release refers to: artifacts' folders, and before them release documents beyond those that are kept.
 * Of a model with a damaged document nothing is removed: what that refers to cannot be known.
 *
 * @param options - Which store, what is kept, and whether anything is done.
 * @param context - Stops between two folders, and watches.
 * @returns What was removed, or would be.
 * @throws `store-url-wrong`, `name-wrong`, `name-not-there`, `prune-not-restored`, what the store says.
 */
export async function pruneReleases(
  options: PruneOptions,
  context: WorkContext = quietContext(),
): Promise<PruneResult> {
  const store = await openStore(options.storeUrl, options.settings);
  return pruneStore(store, options, context);
}

/**
 * Prunes an open store; see {@link pruneReleases}.
 *
 * @param store - The store.
 * @param options - What is kept, and whether anything is done.
 * @param context - Stops between two folders, and watches.
 * @returns What was removed, or would be.
 * @throws As {@link pruneReleases}.
 */
export async function pruneStore(
  store: WritableStore,
  options: Omit<PruneOptions, 'storeUrl'>,
  context: WorkContext,
): Promise<PruneResult> {
  const { name, keep, graceMs, isDryRun, settings, now } = options;
  const names = name === null ? await findNames(store, context) : [name];
  const rules = { keep, graceMs, nowMs: now.getTime() };
  const prefix = name === null || name === '' ? '' : `${name}/`;
  const swept = await sweepUploads(store, prefix, { graceMs, isDryRun }, context.signal);
  // An upload that broke off may be all that there is.
  const hasUploads = swept.abandoned.length + swept.runningKeys.length > 0;
  if (!hasUploads) await refuseNothingThere(store, name, context.signal);
  const models: PrunedModel[] = [];
  const findings: Finding[] = [...swept.findings];
  for (const each of names) {
    const place = placeOf(store, each, settings);
    const pruned = await pruneModel(place, { rules, isDryRun, swept }, context);
    models.push(pruned.model);
    findings.push(...pruned.findings, ...refusalOf(place, pruned.model));
  }
  const { abandoned } = swept;
  const about = { storeUrl: store.url, isDryRun, graceMs, keep, models, abandoned };
  return { ...about, ...countGone(models, abandoned), findings };
}

type Counts = Pick<PruneResult, 'releases' | 'artifacts' | 'objects' | 'sizeBytes' | 'uploads'>;

function countGone(models: readonly PrunedModel[], abandoned: PruneResult['abandoned']): Counts {
  const isGone = ({ outcome }: Pick<PrunedFolder, 'outcome'>): boolean => outcome !== 'kept';
  const folders = models.flatMap((model) => model.folders.filter(isGone));
  const sum = (key: 'objects' | 'sizeBytes'): number =>
    folders.reduce((total, folder) => total + folder[key], 0);
  return {
    releases: models.flatMap((model) => model.releases.filter(isGone)).length,
    ...{ artifacts: folders.length, objects: sum('objects'), sizeBytes: sum('sizeBytes') },
    uploads: abandoned.filter(({ refusal }) => refusal === null).length,
  };
}

function refusalOf({ store, name }: ModelPlace, { refusals }: PrunedModel): readonly Finding[] {
  if (refusals.length === 0) return [];
  return [makeFinding('error', 'prune-refused', { storeUrl: store.url, name, problems: refusals })];
}
