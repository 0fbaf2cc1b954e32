// The converter under test: this project's, or a command that stands in for it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { convertModel } from '../../dist/convert/convert-model.js';
import { bareOptions } from './expected-conversion.mjs';

const run = promisify(execFile);
const limitMs = 60_000;

/**
 * Makes a bare model of one file.
 * @param {string | undefined} command - With `{model}`, `{precision}` and `{out}` as words or parts of words; undefined
 *   for the converter of this project.
 * @param {{ model: string, precision: string, out: string }} job - What to convert and where to.
 */
export async function convertCase(command, job) {
  if (command !== undefined) {
    const words = command
      .split(' ')
      .filter(Boolean)
      .map((word) => word.replace(/\{(\w+)\}/g, (all, key) => job[key] ?? all));
    await run(words[0], words.slice(1), { timeout: limitMs });
    return;
  }
  await convertModel({ ...bareOptions, ...job });
}
