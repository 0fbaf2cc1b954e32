import type { ValueSpec } from '../lib/tensor.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { InputProblem, ShapelessInput } from '../messages/input-messages.js';

/** What the shapes of all inputs are, or what keeps them from being known. */
export type ResolvedShapes = {
  readonly shapes: ReadonlyMap<string, readonly number[]>;
  readonly shapeless: readonly ShapelessInput[];
  readonly problems: readonly InputProblem[];
  readonly findings: readonly Finding[];
};

/** Multiples of 32 suit detectors that halve their input five times. */
const exampleSize = 320;

/**
 * Gives every symbolic axis a size: the shape that was asked for, what the same axis name has in another input, and 1
 * for a first axis.
 *
 * @param declared - The model's inputs.
 * @param given - Shapes asked for or read from files, by input name.
 * @returns A shape for each input that has one, and everything that stands in the way for the others.
 */
export function resolveShapes(
  declared: readonly ValueSpec[],
  given: ReadonlyMap<string, readonly number[]>,
): ResolvedShapes {
  const shapes = new Map<string, readonly number[]>();
  const shapeless: ShapelessInput[] = [];
  const problems: InputProblem[] = [];
  const findings: Finding[] = [];
  const axisSizes = collectAxisSizes(declared, given);
  for (const { name, dims } of declared) {
    const asked = given.get(name);
    const known = dims.map((axis) => (typeof axis === 'number' ? axis : axisSizes.get(axis)));
    if (asked !== undefined) {
      const problem = findShapeProblem(dims, asked);
      if (problem === undefined) shapes.set(name, asked);
      else problems.push({ input: name, problem });
    } else if (known.slice(1).includes(undefined)) {
      shapeless.push({
        name,
        dims,
        example: known.map((size, at) => size ?? (at === 0 ? 1 : exampleSize)).join('x'),
      });
    } else {
      const shape = known.map((size) => size ?? 1);
      shapes.set(name, shape);
      if (dims.length > 0 && known[0] === undefined)
        findings.push(
          makeFinding('warning', 'input-batch-assumed', { input: name, axis: String(dims[0]), shape }),
        );
    }
  }
  return { shapes, shapeless, problems, findings };
}

function collectAxisSizes(
  declared: readonly ValueSpec[],
  given: ReadonlyMap<string, readonly number[]>,
): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { name, dims } of declared) {
    for (const [at, size] of (given.get(name) ?? []).entries()) {
      const axis = dims[at];
      if (typeof axis === 'string' && axis !== '?' && !sizes.has(axis)) sizes.set(axis, size);
    }
  }
  return sizes;
}

function findShapeProblem(dims: readonly (number | string)[], asked: readonly number[]): string | undefined {
  if (!asked.every((size) => Number.isSafeInteger(size) && size >= 0))
    return `is to have the shape [${asked.join(', ')}], sizes are whole numbers from 0 on`;
  // A model that declares no shape at all looks like one that declares a scalar.
  const fits =
    dims.length === 0 ||
    (dims.length === asked.length &&
      dims.every((axis, at) => typeof axis === 'string' || axis === asked[at]));
  return fits
    ? undefined
    : `is to have the shape [${asked.join(', ')}], the model takes [${dims.join(', ')}]`;
}
