// Counts of an earlier run, against which later ones are held: by case, what was convertible and what was converted.
import { readFile, writeFile } from 'node:fs/promises';

/**
 * Puts the counts of a run into a form that is small and has one line per case.
 * @param {readonly import('./judge-case.mjs').Judgement[]} judgements - Of a run.
 * @returns {Record<string, string>} By case, `weights FOUND/EXPECTED, nodes FOUND/EXPECTED`.
 */
export function countsOf(judgements) {
  const counts = {};
  for (const { name, precision, nodes, weights } of judgements) {
    const own = precision === 'fp16' ? nodes : weights;
    const text = `${precision === 'fp16' ? 'nodes' : 'weights'} ${own?.found ?? 0}/${own?.expected ?? 0}`;
    counts[name] = counts[name] === undefined ? text : `${counts[name]}, ${text}`;
  }
  return counts;
}

/**
 * Finds cases of which less was converted than recorded.
 * @param {Record<string, string>} before - As recorded.
 * @param {Record<string, string>} now - Of this run; cases that are new count as no less.
 * @returns {string[]} A line for each.
 */
export function findFallen(before, now) {
  return Object.entries(before).flatMap(([name, recorded]) => {
    const counted = now[name];
    if (counted === undefined) return [`- ${name}: ${recorded} recorded, the case is gone`];
    const isLess = foundIn(counted).some((found, index) => found < (foundIn(recorded)[index] ?? 0));
    return isLess ? [`- ${name}: ${recorded} recorded, now ${counted}`] : [];
  });
}

function foundIn(counts) {
  return [...counts.matchAll(/(\d+)\//g)].map(([, found]) => Number(found));
}

/** Reads recorded counts; undefined when there is no such file. */
export async function readCounts(path) {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Writes counts. */
export async function writeCounts(path, counts) {
  await writeFile(path, `${JSON.stringify(counts, null, 2)}\n`);
}
