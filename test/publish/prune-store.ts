import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { quietContext } from '../../src/lib/work-context.js';
import { pruneStore } from '../../src/publish/prune/prune-releases.js';
import type { PruneResult } from '../../src/publish/prune/prune-result.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { openPlace, type StoreHooks } from './open-place.js';

/** Ms. */
export const day = 24 * 3_600_000;

type Asked = {
  readonly keep?: number;
  readonly graceMs?: number;
  readonly isDryRun?: boolean;
  readonly name?: string;
};

/** Prunes as if two days had passed. */
export async function prune(url: string, asked: Asked = {}, hooks: StoreHooks = {}): Promise<PruneResult> {
  const { keep = null, graceMs = day, isDryRun = false, name = null } = asked;
  const { store } = await openPlace(url, hooks);
  const how = { settings: defaultObjectSettings, now: new Date(Date.now() + 2 * day) };
  return pruneStore(store, { keep, graceMs, isDryRun, name, ...how }, quietContext());
}

/** The keys of an artifact of {@link stageOne}. */
export function folderOf({ digest }: ArtifactRecord): readonly string[] {
  return [`vit/objects/${digest}/artifact.json`, `vit/objects/${digest}/model.onnx`];
}
