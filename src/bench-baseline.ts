import { join } from 'node:path';
import type { BenchBaseline, BenchTarget } from './bench/bench-options.js';
import type { WorkContext } from './lib/work-context.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import { fetchArtifact } from './stage/fetch-artifact.js';
import { resolveStaged } from './store/resolve-staged.js';
import { stagedKeys } from './store/staged-layout.js';
import { objectUrl, parseStoreUrl } from './store/store-url.js';

/** A release that a run is compared with, as something to measure. */
export type BaselineTarget = { readonly target: BenchTarget; readonly baseline: BenchBaseline };

/**
 * Finds the artifact of an earlier release, so that it is measured beside the variants of a run: figures of another day
 * tell nothing about this one.
 *
 * @param pipeline - The store, the model's name and the release: its name, `current`, or an address.
 * @param context - Stops the reading.
 * @returns The artifact and what it is compared by; null when no release is named.
 * @throws What following the address throws; what fetching it throws when it is a layer's and the store is elsewhere.
 */
export async function findBaseline(pipeline: Pipeline, context: WorkContext): Promise<BaselineTarget | null> {
  const { baseline } = pipeline.bench;
  if (baseline === undefined) return null;
  const url = locateRelease(baseline.release, pipeline);
  const { store, record, release, filesPrefix } = await resolveStaged(url, undefined, context.signal);
  const delivery = release?.chosen.delivery ?? 's3-copy';
  const named = release?.release ?? record.digest.slice(0, 12);
  const variantId = `${record.variant.id}@${named}`;
  const artifactUrl = objectUrl(store.url, `${filesPrefix}artifact.json`);
  const isHere = parseStoreUrl(store.url).kind === 'directory';
  const here = isHere ? join(store.url, filesPrefix) : null;
  const needsFolder = here === null && ['layer', 'url'].includes(delivery);
  const artifactFolder = needsFolder ? await bringFolder(artifactUrl, named, pipeline, context) : here;
  const sessions = release?.artifacts.find((artifact) => artifact.digest === record.digest)?.sessions;
  if (sessions === undefined) throw new Error(`${url} is no release`);
  const target = {
    ...{ variantId, digest: record.digest, artifactUrl, artifactFolder, sessions },
    ...{ sizeBytes: record.sizeBytes, expandedSizeBytes: record.expandedSizeBytes, deliveries: [delivery] },
  };
  return {
    target,
    baseline: { release: named, variantId, delivery, mostRatio: 1 + baseline.maxSlowdown },
  };
}

/** A name is looked for in the run's own store; what has a slash is an address. */
function locateRelease(release: string, { stage, name }: Pipeline): string {
  if (/[/\\]/.test(release)) return release;
  const keys = stagedKeys(name);
  return objectUrl(stage.to, release === 'current' ? keys.current : keys.release(release));
}

async function bringFolder(
  artifactUrl: string,
  named: string,
  pipeline: Pipeline,
  context: WorkContext,
): Promise<string> {
  const to = join(pipeline.output, 'baseline', named);
  const how = { concurrency: pipeline.stage.concurrency, partSizeBytes: 8 * 1024 ** 2 };
  return (await fetchArtifact({ url: artifactUrl, to, ...how }, context)).folder;
}
