import { formatExactBytes } from '../lib/format-quantity.js';
import { startPhrases } from '../lib/start-mode.js';
import type { CandidateName } from './pick-result.js';

/**
 * Names a candidate as sentences do.
 *
 * @param candidate - One candidate.
 * @returns Such as `fp16-weights.single by lazy with SnapStart at 2,048 MiB`.
 */
export function nameCandidate({ variantId, delivery, startMode, memoryMiB }: CandidateName): string {
  const memory = memoryMiB === null ? '' : ` at ${formatExactBytes(memoryMiB)} MiB`;
  return `${variantId} by ${delivery}${startPhrases[startMode]}${memory}`;
}
