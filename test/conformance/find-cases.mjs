// Finds the cases of a folder: models with inputs and the outputs that they must give.
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * One model with its sets of data; a set is a folder with `input_N.pb` and `output_N.pb`, and there may be none.
 * @typedef {{ name: string, model: string, dataFolders: readonly string[] }} Case
 */

/**
 * Lists the cases of a folder, searched to any depth.
 * @param {string} folder - The folder.
 * @returns {Promise<Case[]>} One for each `model.onnx`, sorted by name.
 */
export async function findCases(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const places = entries
    .filter((entry) => entry.name === 'model.onnx')
    .map((entry) => entry.parentPath ?? entry.path);
  const cases = await Promise.all(places.map((place) => describeCase(folder, place)));
  return cases.sort((left, right) => (left.name < right.name ? -1 : 1));
}

async function describeCase(folder, place) {
  const entries = await readdir(place, { withFileTypes: true });
  const hasData = entries.some(({ name }) => /^(input|output)_\d+\.pb$/.test(name));
  const sets = entries.filter((entry) => entry.isDirectory() && /^test_data_set_\d+$/.test(entry.name));
  const dataFolders = [...(hasData ? [place] : []), ...sets.map(({ name }) => join(place, name)).sort()];
  return { name: relative(folder, place) || '.', model: join(place, 'model.onnx'), dataFolders };
}
