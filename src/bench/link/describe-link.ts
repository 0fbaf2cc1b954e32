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
  const label = `simulated S3 on the loopback interface, ${describeModel(model)}; \`download\` includes loading the AWS SDK`;
  return { label, simulated: true, ...model, achieved: null };
}

/**
 * Says what a link does.
 *
 * @param model - The link.
 * @returns Such as `20 ms to the first byte, 90 MB/s for all connections together`.
 */
function describeModel(model: LinkModel): string {
  const { latencyMs, jitterMs, bytesPerSecond, perConnectionBytesPerSecond: alone } = model;
  const spread = jitterMs === 0 ? '' : ` (± ${formatMs(jitterMs)})`;
  const each = alone === null ? '' : `, ${formatRate(alone)} for each`;
  return `${formatMs(latencyMs)}${spread} to the first byte, ${formatRate(bytesPerSecond)} for all connections together${each}`;
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
  return { ...noLink, label };
}

/** No delivery that is measured downloads anything. */
export const noLink: BenchLink = {
  label: 'none: nothing is downloaded',
  simulated: false,
  latencyMs: null,
  jitterMs: null,
  bytesPerSecond: null,
  perConnectionBytesPerSecond: null,
  achieved: null,
};

function formatRate(bytesPerSecond: number): string {
  return `${Number((bytesPerSecond / 1e6).toPrecision(3))} MB/s`;
}

function nameHost(storeUrl: string, environment: Readonly<Record<string, string | undefined>>): string {
  const { kind } = parseStoreUrl(storeUrl);
  if (kind === 'directory') return `the folder ${storeUrl}`;
  if (kind === 'http') return new URL(storeUrl).host;
  const endpoint = environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL;
  if (endpoint && URL.canParse(endpoint)) return `S3 at ${new URL(endpoint).host}`;
  const region = environment.AWS_REGION || environment.AWS_DEFAULT_REGION;
  return region ? `S3 at s3.${region}.amazonaws.com` : 'S3 at Amazon';
}
