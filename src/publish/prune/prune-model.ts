import type { WorkContext } from '../../lib/work-context.js';
import type { Finding } from '../../messages/finding.js';
import type { ModelPlace } from '../model-place.js';
import { type ModelState, readModelState } from '../read-model-state.js';
import type { FoundRelease } from '../read-releases.js';
import { workOnEach } from '../work-on-each.js';
import { listFolders } from './list-folders.js';
import { type ObjectFolder, type PrunePlan, type PruneRules, planPrune, sumBytes } from './plan-prune.js';
import type { PrunedFolder, PrunedModel, PrunedRelease } from './prune-result.js';
import { type FolderRemoval, removeFolder } from './remove-folder.js';
import { removeRelease } from './remove-release.js';
import type { SweptUploads } from './sweep-uploads.js';

/** Folders that are removed at the same time. */
const foldersAtOnce = 4;

/** How models are pruned. */
export type ModelPrune = {
  readonly rules: PruneRules;
  readonly isDryRun: boolean;
  /** Uploads of the store: a folder that one runs into stays. */
  readonly swept: Pick<SweptUploads, 'runningKeys' | 'listRefusal'>;
};

/** What came of one model. */
export type ModelOutcome = { readonly model: PrunedModel; readonly findings: readonly Finding[] };

/**
 * Prunes one model: release documents first, then the folders that only they referred to.
 *
 * @param place - The model.
 * @param prune - What is kept, and whether anything is done.
 * @param context - Stops between two removals, and watches.
 * @returns What was removed, or would be.
 * @throws `prune-not-restored`, what the store says.
 */
export async function pruneModel(
  place: ModelPlace,
  prune: ModelPrune,
  context: WorkContext,
): Promise<ModelOutcome> {
  const { signal } = context;
  // Folders before documents: what is published in between is seen below.
  const folders = await listFolders(place, signal, (done) =>
    context.progress({ label: `list ${place.name}`, done, unit: 'items' }),
  );
  const state = await readModelState(place, [], signal);
  const { rules, isDryRun, swept } = prune;
  const refusals = findRefusals(state, swept);
  if (refusals.length > 0) return { model: refuse(place, refusals), findings: [] };
  const isBusy = (digest: string): boolean =>
    swept.runningKeys.some((key) => key.startsWith(place.keys.object(digest, '')));
  const plan = planPrune(state, folders, isBusy, rules);
  if (isDryRun) return { model: foretell(place, plan), findings: [] };
  return carryOut({ place, graceMs: rules.graceMs, known: state.releases }, plan, context);
}

function findRefusals({ damaged }: ModelState, { listRefusal }: ModelPrune['swept']): readonly string[] {
  const problems = damaged.map(({ url, problem }) => `${url}: ${problem}`);
  return listRefusal === null ? problems : [...problems, `which uploads run cannot be seen: ${listRefusal}`];
}

function refuse({ name }: ModelPlace, refusals: readonly string[]): PrunedModel {
  return { name, refusals, releases: [], folders: [], spared: { folders: 0, sizeBytes: 0 } };
}

function foretell({ name }: ModelPlace, plan: PrunePlan): PrunedModel {
  const releases = plan.releases.map((found) => describeRelease(found, 'planned'));
  const folders = plan.folders.map((folder) => describeFolder(folder, 'planned'));
  return { name, refusals: [], releases, folders, spared: describeSpared(plan) };
}

async function carryOut(
  removal: FolderRemoval,
  plan: PrunePlan,
  { signal, progress }: WorkContext,
): Promise<ModelOutcome> {
  const { place } = removal;
  const releases: PrunedRelease[] = [];
  for (const found of plan.releases) {
    const reason = await removeRelease(place, found, signal);
    releases.push(describeRelease(found, reason));
  }
  const findings: Finding[] = [];
  let done = 0;
  const folders = await workOnEach(plan.folders, foldersAtOnce, signal, async (folder) => {
    const { keptBecause, findings: more } = await removeFolder(removal, folder, signal);
    findings.push(...more);
    done += 1;
    progress({ label: `prune ${place.name}`, done, total: plan.folders.length, unit: 'items' });
    return describeFolder(folder, keptBecause);
  });
  const model = { name: place.name, refusals: [], releases, folders, spared: describeSpared(plan) };
  return { model, findings };
}

/** What became of it: `planned`, why it was kept, or null when it is gone. */
type Fate = string | null;

function describeFate(fate: Fate): Pick<PrunedFolder, 'outcome' | 'reason'> {
  if (fate === 'planned') return { outcome: 'planned', reason: null };
  return fate === null ? { outcome: 'removed', reason: null } : { outcome: 'kept', reason: fate };
}

function describeRelease({ release }: FoundRelease, fate: Fate): PrunedRelease {
  return { release, ...describeFate(fate) };
}

function describeFolder(folder: ObjectFolder, fate: Fate): PrunedFolder {
  const newestMs = Math.max(...folder.objects.map(({ modifiedAtMs }) => modifiedAtMs ?? 0));
  return {
    digest: folder.digest,
    objects: folder.objects.length,
    sizeBytes: sumBytes([folder]),
    newestAt: new Date(newestMs).toISOString(),
    ...describeFate(fate),
  };
}

function describeSpared({ spared }: PrunePlan): PrunedModel['spared'] {
  return { folders: spared.length, sizeBytes: sumBytes(spared) };
}
