import type { Document, LineCounter, Node } from 'yaml';
import { isCollection, isMap, isNode, isScalar } from 'yaml';
import type { core } from 'zod';
import { nearestWord } from '../lib/nearest-word.js';
import type { PipelineProblem } from '../messages/pipeline-messages.js';
import { pipelineJsonSchema } from './pipeline-schema.js';

type Path = readonly (string | number)[];
type SchemaNode = {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
};
type Place = { readonly line: number | null; readonly column: number | null };

/**
 * Turns one zod issue into problems with line, column and the nearest known word.
 *
 * @param issue - What the schema refused.
 * @param document - The parsed YAML document.
 * @param lines - Line starts of the same text.
 * @returns One problem per unknown key, else one.
 */
export function locateIssue(
  issue: core.$ZodIssue,
  document: Document,
  lines: LineCounter,
): readonly PipelineProblem[] {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key].join('.'),
      ...placeOf(findKey(document, path, key), lines),
      problem: `unknown key \`${key}\`${path.length === 0 ? '' : ` in \`${path.join('.')}\``}`,
      suggestion: nearestWord(key, knownKeys(path)),
    }));
  }
  const said = issue.code === 'custom' ? issue.params : undefined;
  if (typeof said?.problem === 'string') {
    const suggestion = typeof said.suggestion === 'string' ? said.suggestion : null;
    const place = placeOf(nodeAt(document, path), lines);
    return [{ path: path.join('.'), ...place, problem: said.problem, suggestion }];
  }
  const seen = valueAt(document, path);
  const known = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  return [
    {
      path: path.join('.'),
      ...placeOf(nodeAt(document, path), lines),
      problem: `${path.length === 0 ? 'the file' : `\`${path.join('.')}\``} ${wordIssue(issue, seen, known)}`,
      suggestion: typeof seen === 'string' ? nearestWord(seen, known) : null,
    },
  ];
}

function wordIssue(issue: core.$ZodIssue, seen: unknown, known: readonly string[]): string {
  if (seen === undefined || seen === null) return 'is missing';
  const shown = JSON.stringify(seen) ?? String(seen);
  if (known.length > 0) return `is ${shown}, which is unknown; known: ${known.join(', ')}`;
  const percent = issue.code === 'invalid_type' && issue.expected === 'number' ? readPercent(seen) : null;
  const hint = percent === null ? '' : `; write ${percent}`;
  return `is ${shown.length > 60 ? `${shown.slice(0, 57)}…` : shown}; it must be ${wordExpected(issue)}${hint}`;
}

/** Flags take `5%`, a YAML file has numbers. */
function readPercent(seen: unknown): number | null {
  const digits = typeof seen === 'string' ? /^(\d+(?:\.\d+)?) ?%$/.exec(seen)?.[1] : undefined;
  return digits === undefined ? null : Number(digits) / 100;
}

function wordExpected(issue: core.$ZodIssue): string {
  if (issue.code === 'too_small')
    return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
  if (issue.code === 'too_big') return `at most ${issue.maximum}`;
  // zod's own words are none for a reader of YAML.
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input'))
    return `${/^[aeio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
  return issue.message.replace(/^must be /, '');
}

function placeOf(node: Node | undefined, lines: LineCounter): Place {
  if (node?.range === undefined || node.range === null) return { line: null, column: null };
  const { line, col } = lines.linePos(node.range[0]);
  return { line, column: col };
}

/** A missing value has no node: the nearest node around it is named instead. */
function nodeAt(document: Document, path: Path): Node | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node)) return node;
  }
  return undefined;
}

function valueAt(document: Document, path: Path): unknown {
  const node = document.getIn(path, true);
  if (isScalar(node)) return node.value;
  return isNode(node) ? node.toJSON() : undefined;
}

function findKey(document: Document, path: Path, key: string): Node | undefined {
  const parent = path.length === 0 ? document.contents : document.getIn(path, true);
  if (!isCollection(parent) || !isMap(parent)) return undefined;
  const keys = parent.items.map((pair) => pair.key).filter(isScalar);
  return keys.find((item) => String(item.value) === key);
}

function knownKeys(path: Path): readonly string[] {
  let node: SchemaNode | undefined = pipelineJsonSchema() as SchemaNode;
  for (const part of path) {
    const extra: SchemaNode | boolean | undefined = node?.additionalProperties;
    node =
      typeof part === 'number'
        ? node?.items
        : (node?.properties?.[part] ?? (typeof extra === 'object' ? extra : undefined));
  }
  return Object.keys(node?.properties ?? {});
}
