import type { Scope } from './graph-walk.js';
import type { GraphProto } from './proto.js';

/** Gives out value names that nothing in the model uses, in any scope. */
export type UniqueNames = {
  /**
   * @param wanted - The name to start from.
   * @returns It, or it with a number; never given out again.
   */
  readonly reserve: (wanted: string) => string;
};

/**
 * Collects all value names of all scopes, so that a new one can shadow none of them.
 *
 * @param scopes - All scopes of a model.
 * @returns A source of new names; the same requests give the same names.
 */
export function reserveNames(scopes: readonly Scope[]): UniqueNames {
  const taken = new Set<string>();
  for (const scope of scopes) {
    for (const name of namesOf(scope)) taken.add(name);
  }
  const nextNumber = new Map<string, number>();
  return {
    reserve: (wanted) => {
      let name = wanted;
      for (let number = nextNumber.get(wanted) ?? 1; taken.has(name); number += 1) {
        name = `${wanted}_${number}`;
        nextNumber.set(wanted, number + 1);
      }
      taken.add(name);
      return name;
    },
  };
}

function* namesOf(scope: Scope): Generator<string> {
  for (const node of scope.nodes) {
    yield* node.input ?? [];
    yield* node.output ?? [];
  }
  yield* scope.fn?.input ?? [];
  yield* scope.fn?.output ?? [];
  if (scope.graph !== undefined) yield* declaredNames(scope.graph);
}

function* declaredNames(graph: GraphProto): Generator<string> {
  const { input, output, valueInfo, initializer, sparseInitializer } = graph;
  for (const value of [...(input ?? []), ...(output ?? []), ...(valueInfo ?? [])]) yield value.name ?? '';
  for (const tensor of initializer ?? []) yield tensor.name ?? '';
  for (const sparse of sparseInitializer ?? []) yield sparse.values?.name ?? '';
}
