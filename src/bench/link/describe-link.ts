import { formatMs } from '../../lib/format-quantity.js';
import { parseStoreUrl } from '../../store/store-url.js';
import type { BenchLink } from '../bench-result.js';
import type { LinkModel } from './link-model.js';

/**
 * Describes the loopback server's link, which samples ask as S3.
 *
 * @param model - What it applies.
 * @returns The link, marked as simulated.
 */
export function describeSimulatedLink(model: LinkModel): BenchLink {
  const megabytes = Number((model.bytesPerSecond / 1e6).toPrecision(3));
  const label = `simulated S3 on the loopback interface, ${formatMs(model.latencyMs)} to the first byte, ${megabytes} MB/s for all connections together; \`download\` includes loading the AWS SDK`;
  return { label, simulated: true, ...model };
}

/**
 * Describes a store that is read as it is.
 *
 * @param storeUrl - Its canonical address.
 * @param environment - Where S3's endpoint and region may be named.
 * @returns The link, with nothing simulated.
 */
export function describeDirectLink(
  storeUrl: string,
  environment: Readonly<Record<string, string | undefined>>,
): BenchLink {
  const label = `direct from ${nameHost(storeUrl, environment)}, not shaped`;
  return { label, simulated: false, latencyMs: null, bytesPerSecond: null };
}

/** No delivery that is measured downloads anything. */
export const noLink: BenchLink = {
  label: 'none: nothing is downloaded',
  simulated: false,
  latencyMs: null,
  bytesPerSecond: null,
};

function nameHost(storeUrl: string, environment: Readonly<Record<string, string | undefined>>): string {
  const { kind } = parseStoreUrl(storeUrl);
  if (kind === 'directory') return `the folder ${storeUrl}`;
  if (kind === 'http') return new URL(storeUrl).host;
  const endpoint = environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL;
  if (endpoint && URL.canParse(endpoint)) return `S3 at ${new URL(endpoint).host}`;
  const region = environment.AWS_REGION || environment.AWS_DEFAULT_REGION;
  return region ? `S3 at s3.${region}.amazonaws.com` : 'S3 at Amazon';
}
