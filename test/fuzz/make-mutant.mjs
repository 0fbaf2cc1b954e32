// Makes a mutant from a seed and a number, always the same one.
import { openStream } from '../../dist/inputs/seeded-stream.js';
import { flipBits, shift, spliceBytes, truncate } from './mutate-bytes.mjs';
import {
  changeLength,
  changeNumbers,
  changeRecords,
  changeTexts,
  flipContent,
  moveOutside,
  nestGraphs,
} from './mutate-tree.mjs';

/** Strategies and how often they are taken; those that keep the framing come first. */
const strategies = [
  { name: 'flip-content', weight: 16, mutate: flipContent },
  { name: 'numbers', weight: 16, mutate: changeNumbers },
  { name: 'texts', weight: 12, mutate: changeTexts },
  { name: 'records', weight: 12, mutate: changeRecords },
  { name: 'nesting', weight: 3, mutate: nestGraphs },
  { name: 'outside', weight: 4, mutate: moveOutside },
  { name: 'flip-bits', weight: 13, mutate: flipBits },
  { name: 'truncation', weight: 8, mutate: truncate },
  { name: 'length', weight: 8, mutate: changeLength },
  { name: 'shift', weight: 4, mutate: shift },
  { name: 'splice', weight: 4, mutate: spliceBytes },
];
const total = strategies.reduce((sum, { weight }) => sum + weight, 0);

/** What is done with a mutant that can be read. */
const jobs = ['fp16-weights', 'fp16', 'fp32'].flatMap((precision) =>
  ['single', 'external'].map((layout) => ({ precision, layout })),
);

/**
 * Makes a mutant.
 * @param {readonly { name: string, bytes: Buffer }[]} models - The models that mutants are made of.
 * @param {number} seed - Of the run.
 * @param {number} index - Of the mutant.
 * @returns {{ index: number, origin: string, strategy: string, job: { precision: string, layout: string }, bytes: Buffer }}
 *   The mutant, and how it was made.
 */
export function makeMutant(models, seed, index) {
  const random = openStream(seed, `mutant ${index}`);
  const pick = (list) => list[random.integer(0, list.length - 1)];
  const model = pick(models);
  let left = random.integer(0, total - 1);
  const strategy = strategies.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  const bytes = strategy.mutate(model.bytes, random, pick(models).bytes);
  return { index, origin: model.name, strategy: strategy.name, job: pick(jobs), bytes };
}
