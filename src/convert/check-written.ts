import { OptimiseModelError } from '../messages/error.js';
import { externalFilesOf } from '../onnx/external-files.js';
import { findNameFaults, type NameFault } from '../onnx/name-faults.js';
import { dataTypes, type ModelProto, type ValueInfoProto } from '../onnx/proto.js';
import { readModel } from '../onnx/read-model.js';
import { findTypeFaults } from '../onnx/type-faults.js';

/** What a converted model is held against. */
export type ModelClaims = {
  readonly path: string;
  /** The source as it was decoded. */
  readonly model: ModelProto;
  /** Inputs and outputs that are to be FP16. */
  readonly halfNames: ReadonlySet<string>;
};

const namedCount = 5;

/**
 * Reads a converted model back and proves that it is whole: it declares the inputs and outputs that it should, every
 * name that is read has a value, no name has two, all types fit, and its data files hold what it refers to.
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

async function findProblems(written: string, claims: ModelClaims): Promise<string[]> {
  const onnx = await readModel(written);
  await externalFilesOf(onnx);
  const declared = listDeclared(claims.model, claims.halfNames);
  const now = listDeclared(onnx.model, new Set());
  const changed = declared.length === now.length ? declared.findIndex((value, at) => value !== now[at]) : 0;
  return [
    ...nameProblems(onnx.model, claims.model),
    ...typeProblems(onnx.model, claims.model),
    ...(changed === -1 ? [] : [`it should declare ${declared[changed]} and declares ${now[changed]}`]),
  ];
}

/** What is wrong in the source already, no conversion can be blamed for; it is only looked for where it matters. */
function nameProblems(model: ModelProto, source: ModelProto): string[] {
  const { repeated, unresolved } = findNameFaults(model);
  if (repeated.length + unresolved.length === 0) return [];
  const before = findNameFaults(source);
  const wrongBefore = new Set([...before.repeated, ...before.unresolved].map(({ name }) => name));
  const isNew = ({ name }: NameFault): boolean => !wrongBefore.has(name);
  return [
    ...repeated.filter(isNew).map(({ name, scope }) => `'${name}' is defined twice in ${scope}`),
    ...unresolved.filter(isNew).map(({ name, scope }) => `'${name}' is read in ${scope}, but never defined`),
  ];
}

/** Casts shift the numbers of nodes and bring names of their own, so that faults are told apart by kind and counted. */
function typeProblems(model: ModelProto, source: ModelProto): string[] {
  const faults = findTypeFaults(model);
  if (faults.length === 0) return [];
  const before = new Map<string, number>();
  for (const { where } of findTypeFaults(source)) before.set(where, (before.get(where) ?? 0) + 1);
  return faults
    .filter(({ where }) => {
      const left = before.get(where) ?? 0;
      before.set(where, left - 1);
      return left <= 0;
    })
    .map(({ scope, where, problem }) => `${problem} (${where} in ${scope})`);
}

function listDeclared({ graph }: ModelProto, halfNames: ReadonlySet<string>): string[] {
  const describe = (role: string) => (value: ValueInfoProto) => {
    const isHalf = halfNames.has(value.name ?? '') && value.type?.tensorType?.elemType === dataTypes.float;
    const type = JSON.stringify(value.type) ?? 'nothing';
    return `${role} '${value.name}' ${isHalf ? type.replace('"elemType":1', '"elemType":10') : type}`;
  };
  return [...(graph?.input ?? []).map(describe('input')), ...(graph?.output ?? []).map(describe('output'))];
}
