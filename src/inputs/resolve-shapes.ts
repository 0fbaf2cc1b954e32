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

/** What to suggest for the sides of pictures: multiples of 32 suit detectors that halve their input five times. */
const pictureSize = 320;
/** Of anything else nothing is known, and all that is sure to fit together is 1. */
const unknownSize = 1;
const channelCounts: readonly unknown[] = [1, 3, 4];

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
  const pictureAxes = new Set(declared.flatMap(({ dims }) => listPictureAxes(dims).map((at) => dims[at])));
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
        example: suggestShape(dims, known, pictureAxes).join('x'),
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

/** An axis of the same name gets the same size in every input. */
function suggestShape(
  dims: ValueSpec['dims'],
  known: readonly (number | undefined)[],
  pictureAxes: ReadonlySet<unknown>,
): readonly number[] {
  const own = listPictureAxes(dims);
  return known.map((size, at) => {
    const axis = dims[at];
    const isPicture = axis === '?' ? own.includes(at) : pictureAxes.has(axis);
    return size ?? (isPicture ? pictureSize : unknownSize);
  });
}

/** Height and width of a batch of pictures: the two axes behind, or before, a number of colours. */
function listPictureAxes(dims: ValueSpec['dims']): readonly number[] {
  if (dims.length !== 4) return [];
  if (channelCounts.includes(dims[1])) return [2, 3];
  return channelCounts.includes(dims[3]) ? [1, 2] : [];
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
