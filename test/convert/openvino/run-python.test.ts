import { chmod, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runOvc } from '../../../src/convert/openvino/run-ovc.js';
import { type PythonJob, runPython } from '../../../src/convert/openvino/run-python.js';
import { quietContext } from '../../../src/lib/work-context.js';
import { catchError } from '../../fixtures/catch-error.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';

const makeFolder = useTempFolder();
let folder = '';
let lines: string[] = [];
beforeEach(async () => {
  folder = await makeFolder();
  lines = [];
});

/** A program that is no Python, but is started like one: what it does is in a file of its own. */
async function job(script: string, more: Partial<PythonJob> = {}): Promise<PythonJob> {
  const python = join(folder, 'python');
  await writeFile(python, `#!/bin/sh\n${script}\n`);
  await chmod(python, 0o755);
  const onLine = (line: string): void => void lines.push(line);
  const { signal } = new AbortController();
  return { python, program: '', folder, request: { a: 1 }, timeoutMs: 60_000, signal, onLine, ...more };
}

it('hands over the request and takes whole lines', async () => {
  const end = await runPython(
    await job(
      'exec 4>&1 1>&3; echo noise >&4; cat; echo; printf half; sleep 0.1; echo " line"; echo gone >&2; exit 3',
    ),
  );
  expect(end).toEqual({ isLate: false, signal: null, exitCode: 3, lastWords: 'gone' });
  expect(lines).toEqual(['{"a":1}', 'half line']);
});

it('ends one that takes too long, and one that is not wanted any more', async () => {
  expect(await runPython(await job('exec sleep 60', { timeoutMs: 50 }))).toMatchObject({
    ...{ isLate: true, signal: 'SIGKILL' },
  });
  const controller = new AbortController();
  const onLine = (): void => controller.abort(new Error('enough'));
  const stopped = runPython(await job('echo x >&3; exec sleep 60', { signal: controller.signal, onLine }));
  await expect(stopped).rejects.toThrow('enough');
});

it('ends one whose answer is refused, with what refused it', async () => {
  const onLine = (line: string): void => void JSON.parse(line);
  const refused = runPython(await job('echo no JSON >&3; echo 1 >&3; exec sleep 60', { onLine }));
  await expect(refused).rejects.toThrow(SyntaxError);
});

it.each([
  ['echo out of memory >&2; kill -9 $$', 'Python was killed by SIGKILL: out of memory'],
  ['exit 0', 'Python ended with code 0'],
  [
    `echo noise; echo '{"kind":"failed","reason":"it could not write its files"}' >&3`,
    'it could not write its files',
  ],
])('a converter that does %j is one error', async (script, reason) => {
  const { python } = await job(script);
  const installation = { libraryPath: '/l', folder: '/', version: null, foundBy: 'a test', python };
  const plan = { installation, modelPath: '/m.onnx', folder, targets: [] };
  const error = await catchError(() => runOvc(plan, quietContext()));
  expect(error).toMatchObject({ code: 'ovc-failed', exitCode: 3, facts: { reason } });
  expect(await readdir(folder)).toEqual(['python']);
});

it('a Python that is not there is one error as well', async () => {
  const installation = { libraryPath: '/l', folder: '/', version: null, foundBy: 'a test', python: '/none' };
  const plan = { installation, modelPath: '/m.onnx', folder, targets: [] };
  expect((await catchError(() => runOvc(plan, quietContext()))).code).toBe('ovc-failed');
});
