import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { type ModelPlace, placeOf } from '../../src/publish/model-place.js';
import type { ReleaseContent } from '../../src/publish/publish-release.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { openStore } from '../../src/store/open-store.js';
import { printArtifactRecord } from '../../src/store/print-artifact-record.js';
import type { StoredObject, WritableStore } from '../../src/store/store.js';
import { recordOf, seededBytes } from '../fixtures/opaque-artifact.js';
import { choiceOf, releasedOf } from '../fixtures/opaque-release.js';
import { putObject } from './raw-store.js';

/** When the first release of a test is made. */
const start = new Date('2026-11-30T16:05:01.234Z');

/** The time so many minutes after the first release. */
export function minutesLater(minutes: number): Date {
  return new Date(start.getTime() + minutes * 60_000);
}

/** Puts an artifact of one small file there, as stage would leave it; another seed gives another digest. */
export async function stageOne(storeUrl: string, seed: number, name = 'vit'): Promise<ArtifactRecord> {
  const bytes = seededBytes(3_000, seed);
  const record = recordOf({ 'model.onnx': bytes });
  const base = `${name}/objects/${record.digest}`;
  await putObject(storeUrl, `${base}/model.onnx`, bytes);
  await putObject(storeUrl, `${base}/artifact.json`, printArtifactRecord(record));
  return record;
}

/** What a release of one artifact holds. */
export function contentOf(record: ArtifactRecord, now: Date, name = 'vit'): ReleaseContent {
  const about = { name, reason: 'the fastest', to: 'current' as const, now };
  return { chosen: choiceOf(record), artifacts: [releasedOf(record)], ...about };
}

type Around<Result> = (go: () => Promise<Result>, key: string) => Promise<Result>;

/** What a test does around the calls of a store; each gets the call itself and returns what the caller gets. */
export type StoreHooks = {
  readonly write?: Around<{ readonly etag: string }>;
  readonly remove?: Around<void>;
  readonly head?: Around<StoredObject | undefined>;
  readonly read?: Around<{ readonly bytes: Uint8Array; readonly etag: string }>;
  /** Lists are read to their end first; the key is the prefix. */
  readonly list?: Around<readonly StoredObject[]>;
};

function around<Rest extends readonly unknown[], Result>(
  hook: Around<Result> | undefined,
  call: (key: string, ...rest: Rest) => Promise<Result>,
): (key: string, ...rest: Rest) => Promise<Result> {
  return (key, ...rest) => (hook === undefined ? call(key, ...rest) : hook(() => call(key, ...rest), key));
}

const opened = new Map<string, Promise<WritableStore>>();

/** A test opens the same store many times; how that is done is for the tests of stores. */
function openOnce(storeUrl: string): Promise<WritableStore> {
  const where = `${storeUrl} at ${process.env.AWS_ENDPOINT_URL_S3}`;
  const store = opened.get(where) ?? openStore(storeUrl);
  opened.set(where, store);
  return store;
}

/** The place of a model whose store's calls pass through hooks, at the boundaries between steps. */
export async function openPlace(storeUrl: string, hooks: StoreHooks = {}): Promise<ModelPlace> {
  const store = await openOnce(storeUrl);
  const list = around(hooks.list, (prefix, signal?: AbortSignal) => collect(store.list(prefix, signal)));
  const hooked: WritableStore = {
    url: store.url,
    endpoint: store.endpoint,
    readRange: store.readRange.bind(store),
    examine: store.examine.bind(store),
    putFile: store.putFile.bind(store),
    sweepUploads: store.sweepUploads.bind(store),
    write: around(hooks.write, store.write.bind(store)),
    remove: around(hooks.remove, store.remove.bind(store)),
    head: around(hooks.head, store.head.bind(store)),
    read: around(hooks.read, store.read.bind(store)),
    list: async function* (prefix, signal) {
      yield* await list(prefix, signal);
    },
  };
  return placeOf(hooked, 'vit', defaultObjectSettings);
}

async function collect(objects: AsyncIterable<StoredObject>): Promise<readonly StoredObject[]> {
  const all: StoredObject[] = [];
  for await (const object of objects) all.push(object);
  return all;
}
