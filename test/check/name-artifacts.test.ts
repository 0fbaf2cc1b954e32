import { expect, test } from 'vitest';
import { nameArtifacts } from '../../src/check/name-artifacts.js';

const subjects = (...artifacts: readonly (readonly [path: string, variantId: string])[]) =>
  nameArtifacts(artifacts.map(([path, variantId]) => ({ path, variantId }))).map(({ subject }) => subject);

test('an artifact is called by its variant as long as no other has the same', () => {
  expect(subjects(['out/a', 'fp32.single'], ['out/b', 'fp16.single'])).toEqual([
    'fp32.single',
    'fp16.single',
  ]);
});

test('artifacts of the same variant, or files of the same name, are called by their paths', () => {
  expect(subjects(['a/m.onnx', 'm.onnx'], ['b/m.onnx', 'm.onnx'], ['c', 'fp32.single'])).toEqual([
    'a/m.onnx',
    'b/m.onnx',
    'fp32.single',
  ]);
});

test('a variant that is called like the path of another artifact is called by its own path', () => {
  const named = subjects(['fp32.single', 'fp16.single'], ['b', 'fp16.single'], ['c', 'fp32.single']);
  expect(named).toEqual(['fp32.single', 'b', 'c']);
});
