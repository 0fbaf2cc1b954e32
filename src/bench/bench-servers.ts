import { parseStoreUrl, splitObjectUrl } from '../store/store-url.js';
import type { BenchOptions } from './bench-options.js';
import type { LinkModel } from './link/link-model.js';
import { type LoopbackServer, startLoopbackServer } from './link/loopback-server.js';
import { type ShapedProxy, startShapedProxy } from './link/shaped-proxy.js';
import type { PlannedRow } from './plan-rows.js';

/** The servers on this machine that stand between samples and what they download. */
export type BenchServers = {
  /** Serves the stores that are folders, as S3; null when none is downloaded from, or they are read as they are. */
  readonly stores: LoopbackServer | null;
  /** Holds a real S3 server of this machine to the link; null when there is none, or it is asked as it is. */
  readonly proxy: ShapedProxy | null;
  /** Serves artifacts' folders as a model hub; null when none is asked for, or a real one was named. */
  readonly hub: LoopbackServer | null;
  readonly close: () => Promise<void>;
};

/** Deliveries that ask the store itself. */
const fromStore: readonly string[] = ['s3-copy', 'lazy', 'stream'];

/**
 * Starts the servers that the rows need.
 *
 * @param rows - What is to be measured.
 * @param options - The links.
 * @param environment - Where S3's endpoint may be named.
 * @returns The servers; close them when the last sample is taken.
 */
export async function startBenchServers(
  rows: readonly PlannedRow[],
  { link, hub }: Pick<BenchOptions, 'link' | 'hub'>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<BenchServers> {
  const storeUrls = listStores(rows);
  const folders = storeUrls.filter((url) => parseStoreUrl(url).kind === 'directory');
  const endpoint = storeUrls.some((url) => parseStoreUrl(url).kind === 's3')
    ? localEndpoint(environment)
    : null;
  const hubFolders = hub.url === null ? listHubFolders(rows) : [];
  const hubLink = hub.link ?? link;
  const started: { close: () => Promise<void> }[] = [];
  const keep = <T extends { close: () => Promise<void> }>(server: T): T => {
    started.push(server);
    return server;
  };
  const close = async () => {
    await Promise.all(started.map((server) => server.close()));
  };
  try {
    return {
      stores:
        link === 'direct' || folders.length === 0 ? null : keep(await startLoopbackServer(folders, link)),
      proxy: link === 'direct' || endpoint === null ? null : keep(await startShapedProxy(endpoint, link)),
      hub: hubFolders.length === 0 ? null : keep(await startLoopbackServer(hubFolders, orUnshaped(hubLink))),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Lists the stores that are downloaded from.
 *
 * @param rows - What is to be measured.
 * @returns Their addresses, each once.
 */
export function listStores(rows: readonly PlannedRow[]): string[] {
  const asked = rows.filter((row) => fromStore.includes(row.delivery));
  return [...new Set(asked.map(({ target }) => splitObjectUrl(target.artifactUrl).storeUrl))];
}

function listHubFolders(rows: readonly PlannedRow[]): string[] {
  const asked = rows.filter((row) => row.delivery === 'url');
  return [...new Set(asked.flatMap(({ target }) => target.artifactFolder ?? []))];
}

/** What is not held to a link is still served, as fast as this machine can. */
function orUnshaped(link: LinkModel | 'direct'): LinkModel {
  return link === 'direct'
    ? { latencyMs: 0, jitterMs: 0, bytesPerSecond: 1e12, perConnectionBytesPerSecond: null }
    : link;
}

/**
 * Finds an S3 server of this machine: what comes from elsewhere has a link of its own.
 *
 * @param environment - Where its endpoint may be named.
 * @returns Its address; null for any other.
 */
export function localEndpoint(environment: Readonly<Record<string, string | undefined>>): URL | null {
  const text = environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL || '';
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return isHere && url.protocol === 'http:' ? url : null;
}
