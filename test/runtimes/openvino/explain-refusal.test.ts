import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { explainRefusal } from '../../../src/runtimes/openvino/explain-refusal.js';
import { findLockedPythonOf, findPythonOf } from '../../../src/runtimes/openvino/python-folders.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
const library = { path: '/l', version: '2026.4.1' };

it.each([
  ['model.xml', /convert the model again/],
  ['model.blob', /`--layout ir`/],
])('what is OpenVINO’s own says itself what to do: %s', (name, advice) => {
  expect(explainRefusal(new Error('Bad magic'), name, library)).toMatchObject({
    message: 'Bad magic',
    advice: expect.stringMatching(advice),
  });
});

it('an ONNX model has no advice of its own, and few words', () => {
  const error = explainRefusal(
    new Error('No conversion rule found for operations: A-1\nTo …'),
    'model.onnx',
    library,
  );
  expect(error.message).toBe('it has no conversion for A-1');
  expect(error).not.toHaveProperty('advice');
});

it('a reader of ONNX that is missing is no fault of the model', () => {
  const text = 'Please check that model format: onnx is supported. Available frontends: ir (GENERAL_ERROR)';
  expect(explainRefusal(new Error(text), 'model.onnx', library)).toMatchObject({
    code: 'runtime-unusable',
    facts: { reason: expect.stringContaining('libopenvino_onnx_frontend (it reads ir)') },
  });
});

it('a Python that may not be executed is told from one that is not there', async () => {
  const folder = await tempFolder();
  const packages = join(folder, 'lib/python3.11/site-packages');
  expect(await findLockedPythonOf(packages)).toBeNull();
  const python = join(folder, 'bin/python3.11');
  await mkdir(join(folder, 'bin'));
  await writeFile(python, '', { mode: 0o644 });
  expect(await findLockedPythonOf(packages)).toBe(python);
  await chmod(python, 0o755);
  expect([await findPythonOf(packages), await findLockedPythonOf(packages)]).toEqual([python, null]);
});
