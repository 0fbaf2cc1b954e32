import { fewestSamples } from '../../lib/sample-counts.js';
import { type Finding, makeFinding } from '../../messages/finding.js';
import type { BaselineVerdict } from '../bench-result.js';

/**
 * Says what the comparison with a release came to.
 *
 * @param verdict - What was judged; null when nothing could be compared.
 * @param release - The release.
 * @returns Of severity `error` when the run is slower, `warning` when that could not be judged.
 */
export function describeBaseline(verdict: BaselineVerdict | null, release: string): Finding {
  if (verdict === null) {
    const reason =
      'it and a candidate without a failed sample were nowhere both measured with a total that leaves nothing out';
    return makeFinding('warning', 'bench-baseline-not-comparable', { release, reason });
  }
  const { mostRatio, total, candidate: named } = verdict;
  const candidate = { variantId: named.variantId, delivery: named.delivery };
  const { ratio, low, high, samples } = total;
  const facts = { release, candidate, ratio, low, high, mostRatio };
  if (verdict.verdict === 'pass') return makeFinding('info', 'bench-baseline-passed', facts);
  if (verdict.verdict === 'fail') return makeFinding('error', 'bench-slower-than-baseline', facts);
  const neededSamples = total.verdict === 'too-few-samples' ? fewestSamples : null;
  return makeFinding('warning', 'bench-baseline-inconclusive', { ...facts, samples, neededSamples });
}
