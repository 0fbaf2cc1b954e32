import type { Delivery } from '../lib/delivery.js';
import { defaultObjectSettings, type ObjectSettings } from '../lib/object-settings.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import { openStore } from '../store/open-store.js';
import type { ReleaseRecord } from '../store/release-record.js';
import type { RuntimeNeed } from '../store/runtime-need.js';
import { findNames } from './find-names.js';
import { placeOf } from './model-place.js';
import { type DamagedDocument, type ModelState, readModelState } from './read-model-state.js';

/** What is listed. */
export type ListReleasesOptions = {
  readonly storeUrl: string;
  /** The model's name in the store; null for all that are found. */
  readonly name: string | null;
  /** Whose the bucket must be; nobody's in particular when left out. */
  readonly settings?: Pick<ObjectSettings, 'expectedBucketOwner'>;
};

/** One release, as it is listed. */
type ListedRelease = {
  readonly release: string;
  readonly isCurrent: boolean;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly variantId: string;
  readonly delivery: Delivery;
  readonly artifacts: number;
  /** Of all artifacts together. */
  readonly sizeBytes: number;
  /** What a machine needs to open the chosen artifact. */
  readonly requires: RuntimeNeed;
};

/** The releases of one model, the newest first. */
type ModelReleases = {
  readonly name: string;
  /** What `current.json` names; null when there is none or it cannot be read. */
  readonly current: string | null;
  readonly releases: readonly ListedRelease[];
  readonly damaged: readonly DamagedDocument[];
};

/** All that was asked for. */
export type ListReleasesResult = {
  readonly storeUrl: string;
  readonly models: readonly ModelReleases[];
  readonly findings: readonly Finding[];
};

/**
 * Lists the releases in a store. Documents that cannot be read are named, and do not keep the others from being listed.
 *
 * @param options - Which store, which model.
 * @param context - Stops and watches the work.
 * @returns The releases of each model.
 * @throws `store-url-wrong`, `name-wrong`, what the store says.
 */
export async function listReleases(
  { storeUrl, name, settings = defaultObjectSettings }: ListReleasesOptions,
  context: WorkContext = quietContext(),
): Promise<ListReleasesResult> {
  const store = await openStore(storeUrl, { ...defaultObjectSettings, ...settings });
  const names = name === null ? await findNames(store, context) : [name];
  const models: ModelReleases[] = [];
  for (const each of names) {
    const place = placeOf(store, each, defaultObjectSettings);
    models.push(describeModel(each, await readModelState(place, [], context.signal)));
    context.progress({ label: 'read releases', done: models.length, total: names.length, unit: 'items' });
  }
  const findings = models.flatMap(({ damaged }) =>
    damaged.map((document) => makeFinding('warning', 'release-damaged', document)),
  );
  return { storeUrl: store.url, models, findings };
}

function describeModel(name: string, { releases, current, damaged }: ModelState): ModelReleases {
  const records = releases.flatMap(({ record }) => (record === null ? [] : [record]));
  return { name, current, releases: records.map((record) => describeRelease(record, current)), damaged };
}

function describeRelease(
  { release, createdAt, chosen, artifacts }: ReleaseRecord,
  current: string | null,
): ListedRelease {
  const named = artifacts.find(({ digest }) => digest === chosen.digest);
  // The parser has found the chosen one among them.
  if (named === undefined) throw new Error(`${release} names no chosen artifact`);
  return {
    release,
    isCurrent: release === current,
    createdAt,
    variantId: chosen.variantId,
    delivery: chosen.delivery,
    artifacts: artifacts.length,
    sizeBytes: artifacts.reduce((sum, { record }) => sum + record.sizeBytes, 0),
    requires: named.record.requires,
  };
}
