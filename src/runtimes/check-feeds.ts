import type { NamedTensors, Tensor, ValueSpec } from '../lib/tensor.js';
import type { FeedProblem } from '../messages/runtime-messages.js';

/**
 * Holds feeds against what a model declares, before any engine sees them, so that every engine fails alike.
 *
 * @param inputs - What the model declares.
 * @param feeds - What is to be fed; a handler in plain JavaScript may give anything.
 * @returns Everything that is wrong: missing, unknown, wrong type, shape or element count; empty when all fits.
 */
export function findFeedProblems(inputs: readonly ValueSpec[], feeds: NamedTensors): FeedProblem[] {
  if (!isRecord(feeds)) {
    const problem = `is missing; ${nameKind(feeds)} was given instead of { NAME: ${tensorForm} }`;
    return inputs.map((input) => ({ input: input.name, problem }));
  }
  const problems: FeedProblem[] = [];
  for (const input of inputs) {
    const feed = Object.hasOwn(feeds, input.name) ? feeds[input.name] : undefined;
    const problem = feed === undefined ? 'is missing' : compareWithSpec(input, feed);
    if (problem !== undefined) problems.push({ input: input.name, problem });
  }
  const known = new Set(inputs.map((input) => input.name));
  for (const name of Object.keys(feeds)) {
    if (!known.has(name)) problems.push({ input: name, problem: `is no input; ${listInputs(inputs)}` });
  }
  return problems;
}

function listInputs(inputs: readonly ValueSpec[]): string {
  const names = inputs.map((input) => `\`${input.name}\``).join(', ');
  return names === '' ? 'the model has none' : `the model has ${names}`;
}

function compareWithSpec(spec: ValueSpec, feed: Tensor): string | undefined {
  if (!isTensorForm(feed)) return `is ${nameKind(feed)}; give ${tensorForm}`;
  if (!spec.isTensor) return 'is no tensor in the model, and only tensors can be fed';
  if (spec.type !== undefined && spec.type !== feed.type)
    return `is ${feed.type}, the model takes ${spec.type}`;
  if (!fitsShape(spec.dims, feed.dims))
    return `has shape ${show(feed.dims)}, the model takes ${show(spec.dims)}`;
  const count = feed.dims.reduce((product, size) => product * size, 1);
  if (feed.data.length !== count)
    return `has ${feed.data.length} elements, its shape ${show(feed.dims)} needs ${count}`;
  return undefined;
}

const tensorForm = '{ type, dims, data }';

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

function isTensorForm(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { type, dims, data } = value;
  const hasElements = Array.isArray(data) || ArrayBuffer.isView(data);
  return typeof type === 'string' && Array.isArray(dims) && hasElements;
}

/** @returns Such as `a Float32Array`, `an Array`, `null`, `a number`. */
function nameKind(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  const kind = typeof value === 'object' ? (value.constructor?.name ?? 'Object') : typeof value;
  return `${/^[AO]/i.test(kind) ? 'an' : 'a'} ${kind}`;
}

function fitsShape(declared: readonly (number | string)[], given: readonly number[]): boolean {
  if (given.some((size) => !Number.isSafeInteger(size) || size < 0)) return false;
  // Engines report an undeclared shape like a scalar's, so an empty one cannot rule anything out.
  if (declared.length === 0) return true;
  return (
    declared.length === given.length &&
    declared.every((axis, index) => typeof axis === 'string' || axis === given[index])
  );
}

function show(dims: readonly (number | string)[]): string {
  return `[${dims.join(', ')}]`;
}
