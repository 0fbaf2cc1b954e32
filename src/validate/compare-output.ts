import { formatError } from '../lib/format-tolerance.js';
import type { Tensor } from '../lib/tensor.js';
import { compareExact } from './compare-exact.js';
import { describeUndiscriminated } from './describe-undiscriminated.js';
import { measureDiscrimination } from './measure-discrimination.js';
import { measurePair } from './measure-pair.js';
import type { OutputParity, ParityBounds } from './parity-result.js';
import { isRealType, toReals } from './to-reals.js';

const nothingMeasured = {
  maxAbsError: null,
  maxRelError: null,
  cosine: null,
  nanReference: 0,
  nanCandidate: 0,
  nanBoth: 0,
  infReference: 0,
  infCandidate: 0,
  outsideCount: 0,
  worstIndex: null,
  neededRtol: null,
  neededAtol: null,
  maxAbsReference: null,
  belowAtolShare: null,
  isConstant: false,
  passedBy: null,
} as const;

/**
 * Compares one output of two models: measures everything first, then applies the bounds.
 *
 * @param name - The output.
 * @param reference - What the reference gave.
 * @param candidate - What the candidate gave; undefined when it has no such output.
 * @param bounds - What counts as the same; integers, bools and strings have to be equal.
 * @returns The figures, and how the output stands to the bounds.
 */
export function compareOutput(
  name: string,
  reference: Tensor,
  candidate: Tensor | undefined,
  bounds: ParityBounds,
): OutputParity {
  const { type, dims } = reference;
  const base = { name, type, dims: [...dims], count: reference.data.length, ...nothingMeasured };
  const mismatch = findMismatch(reference, candidate);
  if (candidate === undefined || mismatch !== undefined) {
    return { ...base, status: 'outside', reason: mismatch ?? 'the candidate does not give it' };
  }
  if (!isRealType(type)) return { ...base, ...compareExactly(reference, candidate) };
  return { ...base, ...compareReals(reference, candidate, bounds) };
}

/**
 * Describes an output that cannot be compared.
 *
 * @param name - The output.
 * @param reason - Why, one clause.
 * @returns The output as skipped, with nothing measured.
 */
export function skipOutput(name: string, reason: string): OutputParity {
  return { name, status: 'skipped', reason, type: null, dims: [], count: 0, ...nothingMeasured };
}

function findMismatch(reference: Tensor, candidate: Tensor | undefined): string | undefined {
  if (candidate === undefined) return 'the candidate does not give it';
  if (candidate.type !== reference.type)
    return `the candidate gives ${candidate.type}, the reference ${reference.type}`;
  const isSameShape =
    candidate.dims.length === reference.dims.length &&
    candidate.dims.every((size, axis) => size === reference.dims[axis]);
  if (isSameShape) return undefined;
  return `the candidate gives the shape [${candidate.dims.join(', ')}], the reference [${reference.dims.join(', ')}]`;
}

function compareExactly(reference: Tensor, candidate: Tensor) {
  const compared = compareExact(reference.data, candidate.data);
  const count = reference.data.length;
  if (compared.outsideCount === 0) {
    return {
      ...compared,
      status: 'equal',
      reason: describeEqual(count),
      neededRtol: 0,
      neededAtol: 0,
    } as const;
  }
  const reason = `${compared.outsideCount} of ${count} elements of ${reference.type} differ, which have to be equal`;
  return { ...compared, status: 'outside', reason } as const;
}

function compareReals(reference: Tensor, candidate: Tensor, bounds: ParityBounds) {
  const pairs = { reference: toReals(reference), candidate: toReals(candidate) };
  const { measured, broken } = measurePair(pairs, bounds);
  const discrimination = measureDiscrimination(pairs.reference, bounds);
  const figures = { ...measured, ...discrimination };
  const { maxAbsError, nanReference, worstIndex } = measured;
  if (broken.length > 0) return { ...figures, status: 'outside', reason: broken.join('; ') } as const;
  if (worstIndex === null) {
    const reason = describeEqualReals(nanReference, maxAbsError, pairs.reference.length);
    return { ...figures, status: 'equal', reason } as const;
  }
  const reason =
    discrimination.passedBy === null
      ? `every element is within the bounds, max |Δ| ${formatError(maxAbsError ?? 0)}`
      : describeUndiscriminated({ ...discrimination, atol: bounds.atol });
  return { ...figures, status: 'within', reason } as const;
}

function describeEqualReals(nanCount: number, maxAbsError: number | null, count: number): string {
  if (count === 0 || maxAbsError !== null) return describeEqual(count);
  if (nanCount === count) return 'NaN throughout on both sides, which proves nothing';
  return 'no number is finite on both sides, which proves nothing';
}

function describeEqual(count: number): string {
  return count === 0 ? '0 elements' : 'equal in every element';
}
