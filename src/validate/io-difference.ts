import type { RoundedFeed } from '../inputs/fit-feeds.js';
import type { NamedTensors, Tensor } from '../lib/tensor.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import { toReals } from './to-reals.js';

/**
 * Expands an output that is FP16 only in the candidate, which is exact, so that both can be compared as real numbers.
 *
 * @param reference - What the reference gave.
 * @param candidate - What the candidate gave; undefined when it has no such output.
 * @returns The candidate's output as float32 where the reference is; any other as it is.
 */
export function widenHalf(reference: Tensor, candidate: Tensor | undefined): Tensor | undefined {
  if (candidate === undefined || !isHalved(reference, candidate)) return candidate;
  return { type: 'float32', dims: candidate.dims, data: toReals(candidate) };
}

/**
 * Says which inputs and outputs are FP32 in the reference and FP16 in the candidate: the values may pass, but whoever
 * calls the model has to feed and read other types.
 *
 * @param candidate - The candidate as it was named.
 * @param rounded - The feeds that were rounded for it.
 * @param outputs - What the reference and the candidate gave; the latter is empty when it did not run.
 * @returns One finding, a warning when a feed does not fit into FP16; none when no type differs this way.
 */
export function findIoDifference(
  candidate: string,
  rounded: readonly RoundedFeed[],
  outputs: { readonly reference: NamedTensors; readonly candidate: NamedTensors },
): Finding[] {
  const types = { referenceType: 'float32', candidateType: 'float16' } as const;
  const halved = Object.entries(outputs.reference).filter(([name, tensor]) => {
    const other = Object.hasOwn(outputs.candidate, name) ? outputs.candidate[name] : undefined;
    return other !== undefined && isHalved(tensor, other);
  });
  if (rounded.length + halved.length === 0) return [];
  const facts = {
    candidate,
    inputs: rounded.map((feed) => ({ ...feed, ...types })),
    outputs: halved.map(([name]) => ({ name, ...types })),
  };
  const isBeyond = rounded.some(({ overflowCount }) => overflowCount > 0);
  return [makeFinding(isBeyond ? 'warning' : 'info', 'parity-io-differs', facts)];
}

function isHalved(reference: Tensor, candidate: Tensor): boolean {
  return reference.type === 'float32' && candidate.type === 'float16';
}
