import { nearestWord } from '../lib/nearest-word.js';
import type { NamedTensors, Tensor, ValueSpec } from '../lib/tensor.js';
import { OptimiseModelError } from '../messages/error.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { InputProblem } from '../messages/input-messages.js';
import { fillTensor, findFillProblem, isIntegerAssumed } from './fill-tensor.js';
import type { InputSpec } from './input-spec.js';
import { readInputFile } from './read-input-file.js';
import { resolveShapes } from './resolve-shapes.js';

/** What models are fed with, and what had to be assumed for it. */
export type PreparedInputs = { readonly feeds: NamedTensors; readonly findings: readonly Finding[] };

/**
 * Makes the feeds of a model: from files where they are named, else from seeded generators.
 *
 * @param declared - The inputs that the model requires.
 * @param specs - What is asked for, by input name; an input without one gets the defaults.
 * @returns A tensor for each declared input, in the model's order, and findings about what was assumed.
 * @throws `input-unknown`, `input-wrong` and `input-shape-needed`, each listing everything of its kind;
 *   `input-file-wrong` for a file that cannot be read.
 */
export async function prepareInputs(
  declared: readonly ValueSpec[],
  specs: Readonly<Record<string, InputSpec>>,
): Promise<PreparedInputs> {
  refuseUnknown(declared, Object.keys(specs));
  const fromFiles = await readFiles(specs);
  const given = new Map<string, readonly number[]>();
  for (const [name, spec] of Object.entries(specs)) {
    const shape = spec.shape ?? fromFiles.get(name)?.dims;
    if (shape !== undefined) given.set(name, shape);
  }
  const resolved = resolveShapes(declared, given);
  const contentProblems = declared.flatMap((input) => findContentProblem(input, specs, fromFiles));
  const problems = [...resolved.problems, ...contentProblems];
  if (problems.length > 0) throw OptimiseModelError.of('input-wrong', { problems });
  if (resolved.shapeless.length > 0)
    throw OptimiseModelError.of('input-shape-needed', { inputs: resolved.shapeless });
  const feeds = declared.map((input): [string, Tensor] => [
    input.name,
    fromFiles.get(input.name) ?? makeTensor(input, resolved.shapes.get(input.name) ?? [], specs),
  ]);
  return {
    feeds: Object.fromEntries(feeds),
    findings: [...resolved.findings, ...findAssumed(declared, specs)],
  };
}

function findAssumed(
  declared: readonly ValueSpec[],
  specs: Readonly<Record<string, InputSpec>>,
): readonly Finding[] {
  return declared.flatMap(({ name: input, type }) =>
    type !== undefined && isIntegerAssumed(type, specOf(specs, input))
      ? [makeFinding('info', 'input-integers-assumed', { input, type })]
      : [],
  );
}

function refuseUnknown(declared: readonly ValueSpec[], asked: readonly string[]): void {
  const known = declared.map((input) => input.name);
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw OptimiseModelError.of('input-unknown', {
    unknown: unknown.map((name) => ({ name, didYouMean: nearestWord(name, known) })),
    known,
  });
}

async function readFiles(specs: Readonly<Record<string, InputSpec>>): Promise<ReadonlyMap<string, Tensor>> {
  const read = Object.entries(specs).map(async ([name, { file }]) =>
    file === undefined ? undefined : ([name, await readInputFile(file)] as const),
  );
  return new Map((await Promise.all(read)).filter((entry) => entry !== undefined));
}

function findContentProblem(
  input: ValueSpec,
  specs: Readonly<Record<string, InputSpec>>,
  fromFiles: ReadonlyMap<string, Tensor>,
): InputProblem[] {
  const { name, type } = input;
  const spec = specOf(specs, name);
  const tensor = fromFiles.get(name);
  let problem: string | undefined;
  if (!input.isTensor) problem = 'is no tensor, and only tensors can be fed';
  else if (type === undefined) problem = 'has an element type that cannot be fed';
  else if (tensor === undefined) problem = findFillProblem(type, spec);
  else if (tensor.type !== type) problem = `is ${type}, ${spec.file} holds ${tensor.type}`;
  else if (spec.shape !== undefined && String(spec.shape) !== String(tensor.dims))
    problem = `is to have the shape [${spec.shape.join(', ')}], ${spec.file} has [${tensor.dims.join(', ')}]`;
  return problem === undefined ? [] : [{ input: name, problem }];
}

function makeTensor(
  input: ValueSpec,
  dims: readonly number[],
  specs: Readonly<Record<string, InputSpec>>,
): Tensor {
  const { type } = input;
  // Both were refused before; this tells the compiler.
  if (type === undefined || type === 'string') throw new TypeError(`${input.name} cannot be made`);
  return fillTensor(input.name, type, dims, specOf(specs, input.name));
}

function specOf(specs: Readonly<Record<string, InputSpec>>, name: string): InputSpec {
  return (Object.hasOwn(specs, name) ? specs[name] : undefined) ?? {};
}
