import { nearestWord } from '../../lib/nearest-word.js';
import { OptimiseModelError } from '../../messages/error.js';
import type { KeepRule } from '../convert-options.js';
import type { Value, ValueGraph, ValueNode } from './value-graph.js';

/** What the user wants in FP32, by name. */
export type KeptNames = Readonly<Record<KeepRule['kind'], ReadonlySet<string>>>;

/**
 * Sorts the user's wishes, so that asking whether a node is among them takes the same time for any number of them.
 *
 * @param rules - The wishes.
 * @returns Names of operators, of nodes and of values.
 */
export function sortKeepRules(rules: readonly KeepRule[]): KeptNames {
  const namesOf = (wanted: KeepRule['kind']): ReadonlySet<string> =>
    new Set(rules.filter(({ kind }) => kind === wanted).map(({ name }) => name));
  return { op: namesOf('op'), node: namesOf('node'), output: namesOf('output') };
}

/**
 * Tells whether the user wants a node in FP32.
 *
 * @param node - The node.
 * @param kept - The user's wishes.
 * @returns True when one of them names the node, its operator, or a value that it gives, or does so with a node that has it
 *   in a body.
 */
export function isKept({ node, scope }: ValueNode, kept: KeptNames): boolean {
  if (kept.op.has(node.opType ?? '') || (kept.node.size > 0 && kept.node.has(node.name ?? ''))) return true;
  if (kept.output.size > 0 && (node.output ?? []).some((name) => kept.output.has(name))) return true;
  return scope.host !== undefined && isKept(scope.host, kept);
}

/**
 * Refuses wishes that name nothing in a model, which are mistakes more often than not.
 *
 * @param graph - The model.
 * @param rules - The wishes.
 * @param path - The model, for the error.
 * @throws `keep-rule-unmatched` naming all of them.
 */
export function refuseUnmatched({ scopes }: ValueGraph, rules: readonly KeepRule[], path: string): void {
  if (rules.length === 0) return;
  const nodes = scopes.flatMap((scope) => scope.nodes.map(({ node }) => node));
  const there: Record<KeepRule['kind'], ReadonlySet<string>> = {
    op: new Set(nodes.map(({ opType }) => opType ?? '')),
    node: new Set(nodes.map(({ name }) => name ?? '')),
    output: new Set(scopes.flatMap(({ values }) => [...values].flatMap(namesGiven))),
  };
  const unmatched = rules.filter(({ kind, name }) => name === '' || !there[kind].has(name));
  if (unmatched.length === 0) return;
  const shown = unmatched.map(({ kind, name }) => {
    const close = nearestWord(name, [...there[kind]]);
    return `${kind}:${name}${close === null ? '' : ` (did you mean ${kind}:${close}?)`}`;
  });
  throw OptimiseModelError.of('keep-rule-unmatched', { path, rules: shown });
}

/** What an input is, no node computes; one with a default is a stored tensor all the same. */
function namesGiven([name, { origin, tensor }]: readonly [string, Value]): readonly string[] {
  return origin === 'input' && tensor === undefined ? [] : [name];
}
