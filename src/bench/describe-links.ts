import type { BenchLink } from './bench-result.js';
import { describeDirectLink, describeSimulatedLink, noLink } from './link/describe-link.js';
import type { LinkModel } from './link/link-model.js';

/**
 * Describes a real S3 server of this machine, held to a link.
 *
 * @param endpoint - Its own address.
 * @param model - The link.
 * @returns The link, marked as simulated.
 */
export function describeShapedS3(endpoint: URL, model: LinkModel): BenchLink {
  const { label, ...link } = describeSimulatedLink(model);
  return {
    ...link,
    label: label.replace(
      'simulated S3 on the loopback interface',
      `S3 at ${endpoint.host} behind a simulated link`,
    ),
  };
}

/**
 * Describes what `url` rows read from.
 *
 * @param url - The hub that was named; null for the one of this machine.
 * @param model - The link in front of the latter.
 * @returns The link.
 */
export function describeHubLink(url: string | null, model: LinkModel | 'direct'): BenchLink {
  if (url !== null) return describeDirectLink(url, {});
  if (model === 'direct') return { ...noLink, label: 'direct from this machine over HTTP, not shaped' };
  const { label, ...link } = describeSimulatedLink(model);
  const plain = label
    .replace('simulated S3', 'simulated model hub over HTTP')
    .replace('; `download` includes loading the AWS SDK', '');
  return { ...link, label: plain };
}

/**
 * Makes one description of all links that bytes passed.
 *
 * @param links - One per store, in any order.
 * @returns The first when they are alike; figures are null when they are not.
 */
export function joinLinks(links: readonly BenchLink[]): BenchLink {
  const [first = noLink, ...others] = links.filter(
    (link, index) => links.findIndex((other) => other.label === link.label) === index,
  );
  if (others.length === 0) return first;
  const all = [first, ...others];
  return {
    ...noLink,
    label: all.map((link) => link.label).join('; '),
    simulated: all.some((link) => link.simulated),
  };
}
