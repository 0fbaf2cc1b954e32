import { showAddress } from '../lib/show-address.js';
import { OptimiseModelError } from '../messages/error.js';
import { type ResolvedArtifact, resolveStaged } from '../store/resolve-staged.js';
import { findStagedPlace } from '../store/staged-layout.js';
import { objectUrl, parseStoreUrl } from '../store/store-url.js';
import type { ReleasePin } from './open-options.js';

/**
 * Follows a source to one artifact of the release that the handler is pinned to, whatever is current: so code and model
 * roll back together.
 *
 * @param source - As it was given to openModel.
 * @param variant - Another variant than the chosen one; undefined for that.
 * @param pin - The release. From the environment it gives way to a source that names a release or an artifact itself.
 * @returns The artifact.
 * @throws `release-contradicted` when an option says another release than the source; `release-not-there`; what
 *   `resolveStaged` throws.
 */
export async function resolvePinned(
  source: string,
  variant: string | undefined,
  pin: ReleasePin,
): Promise<ResolvedArtifact> {
  const named = findNamed(source);
  if (named === `the release ${pin.name}`) return resolveStaged(source, variant, undefined);
  if (named !== undefined) return followSource(source, variant, pin, named);
  const folder = parseStoreUrl(source).url.replace(/\/current\.json$/, '');
  const pinned = objectUrl(folder, `releases/${pin.name}.json`);
  try {
    return await resolveStaged(pinned, variant, undefined);
  } catch (error) {
    if (!isNotThere(error)) throw error;
    const found = source.endsWith('.json')
      ? undefined
      : await resolveStaged(source, variant, undefined).catch(() => undefined);
    if (found !== undefined && found.release === null)
      return followSource(source, variant, pin, 'an artifact', found);
    const facts = { source: showAddress(source), release: pin.name, by: pin.by };
    throw OptimiseModelError.of('release-not-there', facts, error);
  }
}

/** What a source names by itself; undefined when it leads to whatever is current, or could. */
function findNamed(source: string): string | undefined {
  const { url } = parseStoreUrl(source);
  const place = findStagedPlace(url)?.place;
  if (place?.kind === 'release') return `the release ${place.release}`;
  if (place?.kind === 'current') return undefined;
  return source.endsWith('.json') || /\/objects\/[0-9a-f]{64}$/.test(url) ? 'an artifact' : undefined;
}

async function followSource(
  source: string,
  variant: string | undefined,
  pin: ReleasePin,
  named: string,
  found?: ResolvedArtifact,
): Promise<ResolvedArtifact> {
  if (pin.by === 'release') {
    const facts = { source: showAddress(source), release: pin.name, named };
    throw OptimiseModelError.of('release-contradicted', facts);
  }
  return found ?? resolveStaged(source, variant, undefined);
}

/** To whom it may not list, S3 does not say that an object is missing, but that access is denied. */
function isNotThere(error: unknown): boolean {
  if (!(error instanceof OptimiseModelError)) return false;
  return ['object-missing', 's3-access-denied'].includes(error.code) || error.facts.status === 403;
}
