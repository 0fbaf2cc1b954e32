// Holds the outputs of a converted model against those it must give.
import { compareOutput } from '../../dist/validate/compare-output.js';

const bounds = { rtol: 2e-2, atol: 2e-2 };

/**
 * Finds outputs that differ: reals beyond the bounds, everything else at all.
 * @param {object} reference - Tensors by name.
 * @param {object} candidate - Tensors by name.
 * @returns {string[]} A clause for each.
 */
export function findDifferences(reference, candidate) {
  return Object.entries(reference)
    .map(([name, tensor]) => compareOutput(name, tensor, candidate[name], bounds))
    .filter(({ status }) => status === 'outside')
    .map(({ name, reason }) => `output '${name}': ${reason}`);
}

/**
 * Finds outputs of another type or shape, where numbers are drawn at random.
 * @param {object} reference - Tensors by name.
 * @param {object} candidate - Tensors by name.
 * @returns {string[]} A clause for each.
 */
export function findShapeDifferences(reference, candidate) {
  const describe = (tensor) =>
    tensor === undefined ? 'nothing' : `${tensor.type}[${tensor.dims.join(', ')}]`;
  return Object.entries(reference).flatMap(([name, tensor]) => {
    const [asked, given] = [describe(tensor), describe(candidate[name])];
    return asked === given ? [] : [`output '${name}': ${given} in place of ${asked}`];
  });
}
