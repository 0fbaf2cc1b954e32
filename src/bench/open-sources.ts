import { dirname, join } from 'node:path';
import { OptimiseModelError } from '../messages/error.js';
import { type ArtifactRecord, readArtifactFolder } from '../store/artifact-record.js';
import { resolveStaged } from '../store/resolve-staged.js';
import { objectUrl, parseStoreUrl, splitObjectUrl } from '../store/store-url.js';
import type { BenchLink } from './bench-result.js';
import { describeDirectLink, describeSimulatedLink, noLink } from './link/describe-link.js';
import type { LinkModel } from './link/link-model.js';
import { startLoopbackServer } from './link/loopback-server.js';
import type { PlannedRow } from './plan-rows.js';

/** Where a row's process opens its model. */
type RowSource = {
  readonly source: string;
  /** The server on this machine that stands in for S3; null when the source is read as it is. */
  readonly s3Endpoint: string | null;
  /** Files on this machine that are read on the way. */
  readonly files: readonly string[];
};

/** Where all rows open their models, and what is between them and the store. */
export type BenchSources = {
  /** In the order of the rows. */
  readonly rows: readonly RowSource[];
  readonly link: BenchLink;
  readonly close: () => Promise<void>;
};

/**
 * Makes every artifact reachable for the processes of the samples, and makes sure that what is there is what is to be
 * measured: a wrong address fails here once, not in every sample.
 *
 * @param rows - What is to be measured.
 * @param link - The link in front of stores that are folders, or `direct`.
 * @param signal - Stops the reading.
 * @returns The sources; close them when the last sample is taken.
 * @throws `bench-target-differs`, `artifact-wrong`, `object-missing` and what the store throws.
 */
export async function openSources(
  rows: readonly PlannedRow[],
  link: LinkModel | 'direct',
  signal: AbortSignal,
): Promise<BenchSources> {
  for (const row of rows) await verifyTarget(row, signal);
  const stores = new Set(
    rows.filter(isDownloaded).map(({ target }) => splitObjectUrl(target.artifactUrl).storeUrl),
  );
  const folders = [...stores].filter((storeUrl) => parseStoreUrl(storeUrl).kind === 'directory');
  const served = link === 'direct' ? [] : folders;
  const server = link === 'direct' || served.length === 0 ? null : await startLoopbackServer(served, link);
  // Samples load what speaks to S3: loading it here reads its files, so that the stated cache state is true of them.
  if (server !== null) await import('../store/s3-store.js');
  const standInFor = (storeUrl: string): StandIn | null =>
    server !== null && served.includes(storeUrl)
      ? { endpoint: server.endpoint, storeUrl: `s3://${server.bucketOf(storeUrl)}` }
      : null;
  const links = [...stores].map((storeUrl) =>
    link !== 'direct' && served.includes(storeUrl)
      ? describeSimulatedLink(link)
      : describeDirectLink(storeUrl, process.env),
  );
  return {
    rows: await Promise.all(rows.map((row) => locateRow(row, standInFor))),
    link: joinLinks(links),
    close: async () => server?.close(),
  };
}

function isDownloaded({ delivery }: PlannedRow): boolean {
  return delivery !== 'layer';
}

async function verifyTarget(row: PlannedRow, signal: AbortSignal): Promise<void> {
  const { variantId, artifactFolder, artifactUrl, digest } = row.target;
  const where = isDownloaded(row) ? artifactUrl : artifactFolder;
  const { record } = isDownloaded(row)
    ? await resolveStaged(artifactUrl, undefined, signal)
    : await readArtifactFolder(artifactFolder);
  if (record.digest === digest) return;
  const facts = { variantId, where, wantedDigest: digest, foundDigest: record.digest };
  throw OptimiseModelError.of('bench-target-differs', facts);
}

/** A server that is asked as S3 would be, and the store's address there. */
type StandIn = { readonly endpoint: string; readonly storeUrl: string };

async function locateRow(
  row: PlannedRow,
  standInFor: (storeUrl: string) => StandIn | null,
): Promise<RowSource> {
  const { artifactFolder, artifactUrl } = row.target;
  if (!isDownloaded(row))
    return { source: artifactFolder, s3Endpoint: null, files: await listFiles(artifactFolder) };
  const { storeUrl, key } = splitObjectUrl(artifactUrl);
  const standIn = standInFor(storeUrl);
  const isFolder = parseStoreUrl(storeUrl).kind === 'directory';
  return {
    source: standIn === null ? artifactUrl : objectUrl(standIn.storeUrl, key),
    s3Endpoint: standIn?.endpoint ?? null,
    files: isFolder ? await listFiles(dirname(join(storeUrl, key))) : [],
  };
}

async function listFiles(folder: string): Promise<string[]> {
  const { record }: { record: ArtifactRecord } = await readArtifactFolder(folder);
  return record.files.map((file) => join(folder, file.path));
}

function joinLinks(links: readonly BenchLink[]): BenchLink {
  const [first = noLink, ...others] = links.filter(
    (link, index) => links.findIndex((other) => other.label === link.label) === index,
  );
  if (others.length === 0) return first;
  const all = [first, ...others];
  return {
    label: all.map((link) => link.label).join('; '),
    simulated: all.some((link) => link.simulated),
    latencyMs: null,
    bytesPerSecond: null,
  };
}
