import { expect, it } from 'vitest';
import { listLoaderFiles } from '../../src/check/loader-files.js';

it('lists what Node.js needs to import the loader: what our package.json names, and that itself', async () => {
  const paths = (await listLoaderFiles('onnxruntime')).map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      'optimise-model/dist/aws/sdk/read.cjs',
      'optimise-model/dist/loader/index.js',
      'optimise-model/package.json',
    ]),
  );
  // For bundlers; and what converts models is no part of it.
  expect(paths.filter((path) => /aws\/sdk\/.*\.js$|sdk\/write|dist\/(convert|onnx)\//.test(path))).toEqual(
    [],
  );
});
