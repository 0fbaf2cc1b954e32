import { dirname, join } from 'node:path';
import { OptimiseModelError } from '../messages/error.js';
import { type ArtifactRecord, readArtifactFolder } from '../store/artifact-record.js';
import { resolveStaged } from '../store/resolve-staged.js';
import { objectUrl, parseStoreUrl, splitObjectUrl } from '../store/store-url.js';
import type { BenchLink } from './bench-result.js';
import { describeDirectLink, describeSimulatedLink, noLink } from './describe-link.js';
import type { LinkModel } from './link-model.js';
import { startLoopbackServer } from './loopback-server.js';
import type { PlannedRow } from './plan-rows.js';

/** Where a row's process opens its model, and the files on this machine that are read on the way. */
type RowSource = { readonly source: string; readonly files: readonly string[] };

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
  const serverUrlOf = (storeUrl: string) =>
    server !== null && served.includes(storeUrl) ? server.urlOf(storeUrl) : null;
  const links = [...stores].map((storeUrl) =>
    link !== 'direct' && served.includes(storeUrl)
      ? describeSimulatedLink(link)
      : describeDirectLink(storeUrl, process.env),
  );
  return {
    rows: await Promise.all(rows.map((row) => locateRow(row, serverUrlOf))),
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

async function locateRow(
  row: PlannedRow,
  serverUrlOf: (storeUrl: string) => string | null,
): Promise<RowSource> {
  const { artifactFolder, artifactUrl } = row.target;
  if (!isDownloaded(row)) return { source: artifactFolder, files: await listFiles(artifactFolder) };
  const { storeUrl, key } = splitObjectUrl(artifactUrl);
  const url = serverUrlOf(storeUrl);
  const isFolder = parseStoreUrl(storeUrl).kind === 'directory';
  return {
    source: url === null ? artifactUrl : objectUrl(url, key),
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
