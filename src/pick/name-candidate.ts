import { formatExactBytes } from '../lib/format-quantity.js';
import type { StartMode } from '../lib/start-mode.js';
import type { CandidateName } from './pick-result.js';

/** What is said of a start mode beside a delivery; on demand is what is meant where nothing is said. */
const starts: Readonly<Record<StartMode, string>> = {
  'on-demand': '',
  snapstart: ' with SnapStart',
  provisioned: ' with provisioned concurrency',
};

/**
 * Names a candidate as sentences do.
 *
 * @param candidate - One candidate.
 * @returns Such as `fp16-weights.single by lazy with SnapStart at 2,048 MiB`.
 */
export function nameCandidate({ variantId, delivery, startMode, memoryMiB }: CandidateName): string {
  const memory = memoryMiB === null ? '' : ` at ${formatExactBytes(memoryMiB)} MiB`;
  return `${variantId} by ${delivery}${starts[startMode]}${memory}`;
}
