// Runs models in onnxruntime.
import { usualSession } from '../../dist/lib/session-options.js';
import { importRuntime } from '../../dist/runtimes/import-runtime.js';
import { plainSettings } from '../../dist/runtimes/runtime.js';

const runtime = await importRuntime('onnxruntime');

/**
 * Opens a model and runs it once per set of inputs; what fails is returned, not thrown.
 * @param {string} path - The `.onnx` file.
 * @param {readonly { inputs: object, unreadable: readonly string[] }[]} sets - Inputs by name; none only opens the model.
 * @returns {Promise<{ refused: string } | { results: ({ outputs: object } | { failed: string })[] }>} What came of it.
 */
export async function runModel(path, sets) {
  let session;
  try {
    session = await runtime.openSession({ path }, { ...plainSettings, threads: 1, options: usualSession });
  } catch (error) {
    return { refused: reasonOf(error, path) };
  }
  try {
    const results = [];
    for (const set of sets) results.push(await runOnce(session, set, path));
    return { results };
  } finally {
    await session.close();
  }
}

async function runOnce(session, { inputs, unreadable }, path) {
  if (unreadable.length > 0)
    return { failed: `its input '${unreadable.join(', ')}' is of a type that cannot be fed` };
  if (!session.outputs.some(({ isTensor }) => isTensor)) return { failed: 'it gives no tensor' };
  const wanted = new Set(session.inputs.map(({ name }) => name));
  const feeds = Object.fromEntries(Object.entries(inputs).filter(([name]) => wanted.has(name)));
  try {
    return { outputs: await session.run(feeds) };
  } catch (error) {
    return { failed: reasonOf(error, path) };
  }
}

/** The runtime's own words without paths and places in its source, so that the same reason reads the same for all cases. */
function reasonOf(error, path) {
  const words = error.cause?.message ?? error.facts?.reason ?? error.message;
  return words
    .replace(`Load model from ${path} failed:`, '')
    .replaceAll(path, 'the model')
    .replace(/\/onnxruntime_src\/\S+:\d+ .*?\)(?: const)?(?: \[with .*?\])? /, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
