import { execFile } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { makeChildEnvironment } from '../../lib/child-environment.js';
import { forgetFolder } from './forget-folder.js';
import type { Environment } from './python-folders.js';

/** What a start-up file of that Python prints has none. */
const mark = 'optimise-model-answer:';

/** Finds the package without importing it, which would take its libraries into that process. */
const question = `${forgetFolder}
import importlib.util, json
spec = importlib.util.find_spec('openvino')
folders = list(spec.submodule_search_locations or []) if spec else []
print('\\n${mark}' + json.dumps({'python': sys.executable, 'folders': folders}))`;

const timeoutMs = 10_000;

/** Where a Python says that the package lies. */
export type PythonAnswer = { readonly python: string; readonly libraryFolders: readonly string[] };

/** Starting a Python takes a tenth of a second, and the answer is asked for more than once by one process. */
const known = new Map<string, Promise<PythonAnswer | null>>();

/**
 * Asks the `python3` on PATH where it has OpenVINO: what a wrapper such as pyenv's stands for cannot be seen otherwise.
 *
 * @param environment - Variables that Python is started with.
 * @returns Its interpreter and where the libraries would be; null where there is no Python, or not the package.
 */
export async function askPython(environment: Environment): Promise<PythonAnswer | null> {
  const key = JSON.stringify(environment);
  const answer = known.get(key) ?? startPython(environment);
  known.set(key, answer);
  const found = await answer;
  // What is installed meanwhile is found then.
  if (found === null) known.delete(key);
  return found;
}

async function startPython(environment: Environment): Promise<PythonAnswer | null> {
  try {
    // The folder that this process is in is no place to take a program or a library from.
    const options = { cwd: '/', env: makeChildEnvironment(environment), timeout: timeoutMs };
    const { stdout } = await promisify(execFile)('python3', ['-c', question], options);
    const [, rest = ''] = stdout.split(`\n${mark}`);
    const [text = ''] = rest.split('\n', 1);
    const { python, folders } = JSON.parse(text) as { python: string; folders: string[] };
    if (!isAbsolute(python)) return null;
    return { python, libraryFolders: folders.filter(isAbsolute).map((folder) => join(folder, 'libs')) };
  } catch {
    return null;
  }
}
