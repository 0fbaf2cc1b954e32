// A Python environment for what benchmarks compare with and tests speak to, so that nothing of the machine's Python is changed.
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The peer that conversions are measured against, and what its module imports. */
export const peerPackages = ['onnxruntime==1.30.0', 'onnx==1.23.2', 'numpy', 'sympy'];

/**
 * Looks for a Python 3 that runs.
 * @returns {Promise<string | undefined>} The program; undefined when there is none.
 */
export async function findPython() {
  for (const program of ['python3', 'python']) {
    const version = await run(program, ['--version']).catch(() => undefined);
    if (version?.stdout.startsWith('Python 3')) return program;
  }
  return undefined;
}

/**
 * Makes a virtual environment with packages from PyPI, once; later calls take what is there.
 * @param {string} folder - Where it is kept.
 * @param {readonly string[]} packages - As pip takes them.
 * @returns {Promise<{ python: string } | { missing: string }>} Its interpreter, or why there is none.
 */
export async function preparePython(folder, packages) {
  const system = await findPython();
  if (system === undefined) return { missing: 'no Python 3 on PATH' };
  const python = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const mark = join(folder, 'installed.json');
  const wanted = JSON.stringify(packages);
  if ((await readFile(mark, 'utf8').catch(() => '')) === wanted) return { python };
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await run(system, ['-m', 'venv', folder]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
    await writeFile(mark, wanted);
    return { python };
  } catch (error) {
    const lines = String(error.stderr || error.message)
      .trim()
      .split('\n');
    return { missing: `${packages.join(', ')} could not be installed: ${lines.at(-1)}` };
  }
}
