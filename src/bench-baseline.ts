import { join } from 'node:path';
import type { BenchBaseline, BenchTarget } from './bench/bench-options.js';
import { usualSessions } from './lib/session-options.js';
import { showAddress } from './lib/show-address.js';
import type { WorkContext } from './lib/work-context.js';
import { OptimiseModelError } from './messages/error.js';
import { type Finding, makeFinding } from './messages/finding.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import { fetchArtifact } from './stage/fetch-artifact.js';
import { type ResolvedArtifact, resolveStaged } from './store/resolve-staged.js';
import { stagedKeys } from './store/staged-layout.js';
import { objectUrl, parseStoreUrl } from './store/store-url.js';

/** A release that a run is compared with, as something to measure. */
export type BaselineTarget = { readonly target: BenchTarget; readonly baseline: BenchBaseline };

/** What a run is compared with: null when that is nothing, with the reason where something was asked for. */
type FoundBaseline = { readonly compared: BaselineTarget | null; readonly notes: readonly Finding[] };

/**
 * Finds the artifact of an earlier release, so that it is measured beside the variants of a run: figures of another day
 * tell nothing about this one.
 *
 * @param pipeline - The store, the model's name and the release: its name, `current`, or an address.
 * @param context - Stops the reading.
 * @returns The artifact and what it is compared by; none when no release is named, or `current` before anything was
 *   published, which a finding says.
 * @throws `bench-baseline-no-release` for the address of an artifact; what following the address throws; what fetching
 *   it throws when it is a layer's and the store is elsewhere.
 */
export async function findBaseline(pipeline: Pipeline, context: WorkContext): Promise<FoundBaseline> {
  const { baseline } = pipeline.bench;
  if (baseline === undefined) return { compared: null, notes: [] };
  const url = locateRelease(baseline.release, pipeline);
  try {
    const found = await resolveStaged(url, undefined, context.signal);
    return { compared: await describeBaseline(found, baseline.maxSlowdown, pipeline, context), notes: [] };
  } catch (error) {
    if (baseline.release !== 'current' || !isNothingPublished(error)) throw error;
    return { compared: null, notes: [makeFinding('info', 'bench-baseline-none', { url: showAddress(url) })] };
  }
}

/** A `current.json` whose release is gone is another matter. */
function isNothingPublished(error: unknown): boolean {
  if (!(error instanceof OptimiseModelError) || error.code !== 'object-missing') return false;
  return /[/\\]current\.json$/.test(String(error.facts.url));
}

async function describeBaseline(
  { store, record, release, filesPrefix }: ResolvedArtifact,
  maxSlowdown: number,
  pipeline: Pipeline,
  context: WorkContext,
): Promise<BaselineTarget> {
  if (release === null) {
    const url = showAddress(objectUrl(store.url, `${filesPrefix}artifact.json`));
    throw OptimiseModelError.of('bench-baseline-no-release', { url });
  }
  const { delivery } = release.chosen;
  const named = release.release;
  const variantId = `${record.variant.id}@${named}`;
  const artifactUrl = objectUrl(store.url, `${filesPrefix}artifact.json`);
  const isHere = parseStoreUrl(store.url).kind === 'directory';
  const here = isHere ? join(store.url, filesPrefix) : null;
  const needsFolder = here === null && ['layer', 'url'].includes(delivery);
  const artifactFolder = needsFolder ? await bringFolder(artifactUrl, named, pipeline, context) : here;
  // Which of its artifacts was chosen was checked when the release was read.
  const sessions =
    release.artifacts.find((artifact) => artifact.digest === record.digest)?.sessions ?? usualSessions;
  const target = {
    ...{ variantId, variant: record.variant, digest: record.digest, artifactUrl, artifactFolder, sessions },
    ...{ sizeBytes: record.sizeBytes, expandedSizeBytes: record.expandedSizeBytes, deliveries: [delivery] },
  };
  return {
    target,
    baseline: { release: named, variantId, delivery, mostRatio: 1 + maxSlowdown },
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
