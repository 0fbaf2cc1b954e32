import { join } from 'node:path';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { type ModelPlace, placeOf } from '../../src/publish/model-place.js';
import type { ReleaseContent } from '../../src/publish/publish-release.js';
import { stageArtifact } from '../../src/stage/stage-artifact.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { openStore } from '../../src/store/open-store.js';
import type { WritableStore } from '../../src/store/store.js';
import { seededBytes, temporaryFolder, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import { choiceOf, releasedOf } from '../fixtures/opaque-release.js';

/** When the first release of a test is made. */
export const start = new Date('2026-11-30T16:05:01.234Z');

/** The time so many minutes after {@link start}. */
export function minutesLater(minutes: number): Date {
  return new Date(start.getTime() + minutes * 60_000);
}

/** Stages an artifact of one small file; another seed gives another digest. */
export async function stageOne(storeUrl: string, seed: number, name = 'vit'): Promise<ArtifactRecord> {
  const artifact = join(await temporaryFolder(), 'artifact');
  const record = await writeOpaqueArtifact(artifact, { 'model.onnx': seededBytes(3_000, seed) });
  const how = { partSizeBytes: null, concurrency: 1, settings: defaultObjectSettings };
  await stageArtifact({ artifact, to: storeUrl, name, ...how });
  return record;
}

/** What a release of one artifact holds. */
export function contentOf(record: ArtifactRecord, now: Date, name = 'vit'): ReleaseContent {
  const about = { name, reason: 'the fastest', to: 'current' as const, now };
  return { chosen: choiceOf(record), artifacts: [releasedOf(record)], ...about };
}

/** What a test does around the calls of a store; each gets the call itself and returns what the caller gets. */
export type StoreHooks = {
  readonly [Call in 'write' | 'remove' | 'head' | 'read']?: (
    go: () => ReturnType<WritableStore[Call]>,
    key: string,
  ) => ReturnType<WritableStore[Call]>;
};

/** The place of a model whose store's calls pass through hooks, at the boundaries between steps. */
export async function openPlace(storeUrl: string, hooks: StoreHooks = {}): Promise<ModelPlace> {
  const store = await openStore(storeUrl);
  const pass = <Call extends 'write' | 'remove' | 'head' | 'read'>(call: Call) => {
    const hook = hooks[call];
    const real = store[call].bind(store) as (
      key: string,
      ...rest: unknown[]
    ) => ReturnType<WritableStore[Call]>;
    return (key: string, ...rest: unknown[]) =>
      hook === undefined ? real(key, ...rest) : hook(() => real(key, ...rest), key);
  };
  const hooked: WritableStore = {
    url: store.url,
    endpoint: store.endpoint,
    readRange: store.readRange.bind(store),
    examine: store.examine.bind(store),
    putFile: store.putFile.bind(store),
    sweepUploads: store.sweepUploads.bind(store),
    list: store.list.bind(store),
    ...{ write: pass('write'), remove: pass('remove'), head: pass('head'), read: pass('read') },
  };
  return placeOf(hooked, 'vit', defaultObjectSettings);
}

/** All keys of a store, in order. */
export async function keysOf(storeUrl: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of (await openStore(storeUrl)).list('')) keys.push(key);
  return keys;
}
