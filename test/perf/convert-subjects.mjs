// The processes that bench-convert.mjs measures.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Path of a file of the project. */
export function projectPath(relative) {
  return fileURLToPath(new URL(`../../${relative}`, import.meta.url));
}

/**
 * Finds the flags with which `convert` does nothing but convert.
 * @returns {Promise<string[]>} The flags that this build has.
 */
export async function quietFlags() {
  const { stdout } = await run(process.execPath, [projectPath('dist/bin.js'), 'convert', '--help']);
  return ['--no-progress', ...(stdout.includes('--no-load-check') ? ['--no-load-check'] : [])];
}

/**
 * Makes the command line of a conversion.
 * @param {string} model - The input.
 * @param {{ precision: string, layout?: string, out: string, flags: readonly string[] }} options - As the command takes them.
 * @returns {string[]} Program and arguments.
 */
export function convertCommand(model, { precision, layout = 'single', out, flags }) {
  const fixed = ['--precision', precision, '--layout', layout, '--out', out];
  return [process.execPath, projectPath('dist/bin.js'), 'convert', model, ...fixed, ...flags];
}

/** The command line of onnxruntime's converter in an environment that has it. */
export function peerCommand(python, model, out) {
  return [python, projectPath('test/perf/peer_convert.py'), model, out];
}

/** The command line of the floor. */
export function floorCommand(model, out) {
  return [process.execPath, projectPath('test/perf/convert-floor.mjs'), model, out];
}
