import { OptimiseModelError } from '../messages/error.js';
import { externalFilesOf } from '../onnx/external-files.js';
import { findNameFaults, type NameFault } from '../onnx/name-faults.js';
import type { ModelProto, ValueInfoProto } from '../onnx/proto.js';
import { readModel } from '../onnx/read-model.js';

/** What a conversion must leave as it was, taken down before the model is changed. */
export type ModelClaims = {
  readonly path: string;
  /** Each input and output as it is declared, in order. */
  readonly declared: readonly string[];
  /** Names that are wrong in the source already, which no conversion can be blamed for. */
  readonly wrongNames: ReadonlySet<string>;
};

const namedCount = 5;

/**
 * Takes down what the converted model is held against.
 *
 * @param path - The source.
 * @param model - The source, not yet changed.
 * @returns What must stay.
 */
export function noteClaims(path: string, model: ModelProto): ModelClaims {
  const { repeated, unresolved } = findNameFaults(model);
  const wrongNames = new Set([...repeated, ...unresolved].map(({ name }) => name));
  return { path, declared: listDeclared(model), wrongNames };
}

/**
 * Refuses a model that gives one name to two values: which of them is meant differs from runtime to runtime, and a Cast
 * could follow only one.
 *
 * @param path - The model.
 * @param model - The model, about to be changed.
 * @throws `model-names-repeated` naming all of them.
 */
export function refuseRepeatedNames(path: string, model: ModelProto): void {
  const { repeated } = findNameFaults(model);
  if (repeated.length > 0) throw OptimiseModelError.of('model-names-repeated', { path, names: repeated });
}

/**
 * Reads a converted model back and proves that it is whole: it declares the inputs and outputs of its source, every
 * name that is read has a value, no name has two, and its data files hold what it refers to.
 *
 * @param written - The `.onnx` file, not yet where users look for it.
 * @param claims - What was taken down of the source.
 * @throws `conversion-broken`, which is a bug of ours.
 */
export async function checkWritten(written: string, claims: ModelClaims): Promise<void> {
  const problems = await findProblems(written, claims).catch((error: unknown) => {
    if (error instanceof OptimiseModelError) return [error.message];
    throw error;
  });
  if (problems.length === 0) return;
  const shown = problems.slice(0, namedCount);
  throw OptimiseModelError.of('conversion-broken', { path: claims.path, problems: shown });
}

async function findProblems(written: string, { declared, wrongNames }: ModelClaims): Promise<string[]> {
  const onnx = await readModel(written);
  await externalFilesOf(onnx);
  const { repeated, unresolved } = findNameFaults(onnx.model);
  const isNew = ({ name }: NameFault): boolean => !wrongNames.has(name);
  const now = listDeclared(onnx.model);
  const changed = declared.length === now.length ? declared.findIndex((value, at) => value !== now[at]) : 0;
  return [
    ...repeated.filter(isNew).map(({ name, scope }) => `'${name}' is defined twice in ${scope}`),
    ...unresolved.filter(isNew).map(({ name, scope }) => `'${name}' is read in ${scope}, but never defined`),
    ...(changed === -1 ? [] : [`its inputs and outputs were ${declared[changed]} and are ${now[changed]}`]),
  ];
}

function listDeclared({ graph }: ModelProto): string[] {
  const describe = (role: string) => (value: ValueInfoProto) =>
    `${role} ${JSON.stringify({ name: value.name, type: value.type })}`;
  return [...(graph?.input ?? []).map(describe('input')), ...(graph?.output ?? []).map(describe('output'))];
}
