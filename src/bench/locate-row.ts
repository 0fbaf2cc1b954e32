import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Layout } from '../lib/variant.js';
import { OptimiseModelError } from '../messages/error.js';
import { readArtifactFolder } from '../store/artifact-record.js';
import { objectUrl, parseStoreUrl, splitObjectUrl } from '../store/store-url.js';
import type { BenchOptions } from './bench-options.js';
import type { BenchServers } from './bench-servers.js';
import type { PlannedRow } from './plan-rows.js';

/** Whom a sample asks as S3: a server that stands in for it, or the user's own behind the link. */
type SampleS3 = { readonly endpoint: string; readonly isStandIn: boolean };

/** Where a row's process opens its model. */
export type RowSource = {
  readonly source: string;
  /** Null when the environment says whom to ask. */
  readonly s3: SampleS3 | null;
  /** Files on this machine that the sample itself reads: cold when it begins, if they can be made so. */
  readonly readFiles: readonly string[];
  /** Files on this machine that a server reads for it: the link is what is measured, so they are cached. */
  readonly servedFiles: readonly string[];
  /** Of the artifact whose files the session itself opens; null where they are copied, expanded or read into memory first. */
  readonly layout: Layout | null;
};

/**
 * Finds where a row's process opens its model, and which files of this machine are read on the way.
 *
 * @param row - The row.
 * @param options - The hub and the mount.
 * @param servers - What runs for the samples.
 * @returns The source.
 * @throws `bench-mount-missing`; `bench-options-wrong` when the delivery needs something that is not named; `artifact-wrong`.
 */
export async function locateRow(
  row: PlannedRow,
  options: Pick<BenchOptions, 'hub' | 'mount'>,
  servers: BenchServers,
): Promise<RowSource> {
  const { artifactFolder, artifactUrl } = row.target;
  const none = { s3: null, readFiles: [], servedFiles: [], layout: null };
  if (row.delivery === 'layer') {
    const source = artifactFolder ?? artifactUrl;
    const { record } = await readArtifactFolder(source);
    return { ...none, source, readFiles: await listFiles(source), layout: record.variant.layout };
  }
  if (row.delivery === 'mount') {
    const source = await findMounted(options, splitObjectUrl(artifactUrl).key);
    return { ...none, source, readFiles: await listFiles(source) };
  }
  return row.delivery === 'url' ? locateInHub(row, options, servers) : locateInStore(artifactUrl, servers);
}

async function locateInStore(artifactUrl: string, { stores, proxy }: BenchServers): Promise<RowSource> {
  const { storeUrl, key } = splitObjectUrl(artifactUrl);
  const { kind } = parseStoreUrl(storeUrl);
  if (kind !== 'directory') {
    const s3 = kind === 's3' && proxy !== null ? { endpoint: proxy.endpoint, isStandIn: false } : null;
    return { source: artifactUrl, s3, readFiles: [], servedFiles: [], layout: null };
  }
  const files = await listFiles(dirname(join(storeUrl, key)));
  if (stores === null)
    return { source: artifactUrl, s3: null, readFiles: files, servedFiles: [], layout: null };
  return {
    source: objectUrl(`s3://${stores.bucketOf(storeUrl)}`, key),
    s3: { endpoint: stores.endpoint, isStandIn: true },
    readFiles: [],
    servedFiles: files,
    layout: null,
  };
}

async function locateInHub(
  { target }: PlannedRow,
  { hub }: Pick<BenchOptions, 'hub'>,
  servers: BenchServers,
): Promise<RowSource> {
  const none = { s3: null, readFiles: [], servedFiles: [], layout: null };
  if (hub.url !== null)
    return { ...none, source: objectUrl(hub.url, splitObjectUrl(target.artifactUrl).key) };
  const { artifactFolder } = target;
  if (servers.hub === null || artifactFolder === null) {
    refuse('hub.url', 'missing', 'the address of the server that `url` reads from');
  }
  const source = `${servers.hub.endpoint}/${servers.hub.bucketOf(artifactFolder)}/artifact.json`;
  return { ...none, source, servedFiles: await listFiles(artifactFolder) };
}

async function findMounted({ mount }: Pick<BenchOptions, 'mount'>, key: string): Promise<string> {
  const folder = mount?.folder ?? refuse('mount.folder', 'missing', 'the folder where the store is mounted');
  const source = dirname(join(folder, key));
  // Only now, as a store may be mounted before anything is staged to it; and never waiting for the mount in this
  // thread, which may be what serves it.
  const found = await stat(source).catch(() => undefined);
  if (found === undefined) throw OptimiseModelError.of('bench-mount-missing', { folder, source });
  return source;
}

function refuse(option: string, seen: string, expected: string): never {
  throw OptimiseModelError.of('bench-options-wrong', { option, seen, expected });
}

async function listFiles(folder: string): Promise<string[]> {
  const found = await readArtifactFolder(folder);
  return found.record.files.map((file) => join(found.folder, file.path));
}
