import { parseStoreUrl } from '../store/store-url.js';
import type { BenchOptions } from './bench-options.js';
import type { BenchLink } from './bench-result.js';
import { type BenchServers, listStores, localEndpoint, startBenchServers } from './bench-servers.js';
import { describeHubLink, describeShapedS3, joinLinks } from './describe-links.js';
import { describeDirectLink, describeSimulatedLink } from './link/describe-link.js';
import { locateRow, type RowSource } from './locate-row.js';
import type { PlannedRow } from './plan-rows.js';
import { verifyTargets } from './verify-targets.js';

/** Where all rows open their models, and what is between them and the store. */
export type BenchSources = {
  /** In the order of the rows. */
  readonly rows: readonly RowSource[];
  readonly link: BenchLink;
  readonly hubLink: BenchLink | null;
  readonly servers: BenchServers;
};

/**
 * Makes every artifact reachable for the processes of the samples.
 *
 * @param rows - What is to be measured.
 * @param options - Links, hub and mount.
 * @param signal - Stops the reading.
 * @returns The sources; close the servers when the last sample is taken.
 * @throws `bench-target-differs`, `bench-options-wrong`, `artifact-wrong`, `object-missing` and what the store throws.
 */
export async function openSources(
  rows: readonly PlannedRow[],
  options: Pick<BenchOptions, 'link' | 'hub' | 'mount'>,
  signal: AbortSignal,
): Promise<BenchSources> {
  await verifyTargets(rows, signal);
  const servers = await startBenchServers(rows, options, process.env);
  try {
    // Samples load what speaks to S3: loading it here reads its files, so that the stated cache state is true of them.
    if (servers.stores !== null || servers.proxy !== null) await import('../store/s3-store.js');
    const located: RowSource[] = [];
    for (const row of rows) located.push(await locateRow(row, options, servers));
    return { rows: located, ...describeLinks(rows, options), servers };
  } catch (error) {
    await servers.close();
    throw error;
  }
}

function describeLinks(
  rows: readonly PlannedRow[],
  { link, hub }: Pick<BenchOptions, 'link' | 'hub'>,
): { link: BenchLink; hubLink: BenchLink | null } {
  const links = listStores(rows).map((storeUrl) => {
    const { kind } = parseStoreUrl(storeUrl);
    if (link === 'direct') return describeDirectLink(storeUrl, process.env);
    if (kind === 'directory') return describeSimulatedLink(link);
    const endpoint = kind === 's3' ? localEndpoint(process.env) : null;
    return endpoint === null ? describeDirectLink(storeUrl, process.env) : describeShapedS3(endpoint, link);
  });
  const isAsked = rows.some((row) => row.delivery === 'url');
  const hubLink = isAsked ? describeHubLink(hub.url, hub.link ?? link) : null;
  return { link: joinLinks(links), hubLink };
}
