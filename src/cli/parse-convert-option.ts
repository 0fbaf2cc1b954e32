import { type Fp32Rule, fp32Rules, type KeepRule, parseKeepRule } from '../lib/fp32-rules.js';
import { nearestWord } from '../lib/nearest-word.js';
import { commander } from './commander.js';

/** What `--io` says: the type of all inputs and outputs, or the names of those that become FP16. */
export type IoFlag = 'fp32' | 'fp16' | readonly string[];

/**
 * Reads one `--io` and adds it to those before.
 *
 * @param text - `fp32`, `fp16`, or names of graph inputs and outputs with commas between them.
 * @param before - What earlier `--io` flags gave; undefined for the first.
 * @returns The type of all, or all names so far.
 * @throws InvalidArgumentError, which commander words.
 */
export function collectIo(text: string, before: IoFlag | undefined): IoFlag {
  const isAll = text === 'fp32' || text === 'fp16';
  const isFirst = before === undefined || before === text;
  if (isAll && isFirst) return text;
  if (isAll || typeof before === 'string') {
    throw new commander.InvalidArgumentError(
      'fp32 or fp16 stands for all inputs and outputs: give it alone, or names.',
    );
  }
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) {
    throw new commander.InvalidArgumentError('It must be fp32, fp16, or names with commas between them.');
  }
  return [...new Set([...(before ?? []), ...names])];
}

/**
 * Reads one `--keep-fp32` and adds it to those before.
 *
 * @param text - `op:TYPE`, `node:NAME` or `output:NAME`; names may hold commas.
 * @param before - What earlier flags gave; undefined for the first.
 * @returns All rules so far.
 * @throws InvalidArgumentError, which commander words.
 */
export function collectKeepRule(text: string, before: readonly KeepRule[] | undefined): readonly KeepRule[] {
  const rule = parseKeepRule(text);
  if (rule === undefined)
    throw new commander.InvalidArgumentError('It must be op:TYPE, node:NAME or output:NAME.');
  return [...(before ?? []), rule];
}

/**
 * Reads one `--without-rule` and adds it to those before.
 *
 * @param text - One of {@link fp32Rules}, or several with commas between them.
 * @param before - What earlier flags gave; undefined for the first.
 * @returns All rules so far, each once.
 * @throws InvalidArgumentError, which commander words.
 */
export function collectFp32Rule(text: string, before: readonly Fp32Rule[] | undefined): readonly Fp32Rule[] {
  const rules = text.split(',').map((word) => {
    const rule = fp32Rules.find((item) => item === word.trim());
    if (rule === undefined) throw new commander.InvalidArgumentError(describeChoices(word.trim()));
    return rule;
  });
  return [...new Set([...(before ?? []), ...rules])];
}

function describeChoices(word: string): string {
  const nearest = nearestWord(word, fp32Rules);
  const hint = nearest === null ? '' : `Did you mean ${nearest}? `;
  return `${hint}Allowed choices are ${fp32Rules.join(', ')}.`;
}
