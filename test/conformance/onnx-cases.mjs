// The operator tests of the ONNX project, for whom no folder of cases is at hand.
import { execFile } from 'node:child_process';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { preparePython } from '../perf/python-packages.mjs';

const run = promisify(execFile);
/** Since 1.23 the wheel holds the tests as Python definitions, no more as files. */
const packages = ['onnx==1.23.2'];
const script = fileURLToPath(new URL('write_onnx_cases.py', import.meta.url));

/**
 * Takes the tests from the wheel `onnx` on PyPI, once; later calls find them in the cache folder.
 * @param {(line: string) => void} log - Hears what is done.
 * @returns {Promise<{ folder: string } | { missing: string }>} The folder of cases, or why there is none.
 */
export async function fetchOnnxCases(log) {
  const cache = join(tmpdir(), 'optimise-model-conformance');
  const folder = join(cache, packages[0].replace('==', '-'));
  if (
    await access(folder).then(
      () => true,
      () => false,
    )
  )
    return { folder };
  log(`no FOLDER given: taking the ONNX project's operator tests from ${packages[0]} on PyPI into ${folder}`);
  const { python, missing } = await preparePython(join(cache, 'python'), packages);
  if (python === undefined) return { missing };
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  await run(python, [script, part], { maxBuffer: 1 << 26 });
  await rename(part, folder);
  return { folder };
}
