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

it('lists for OpenVINO what is loaded by name as well, and leaves koffi to the runtime pack', async () => {
  const [plain, more] = await Promise.all([listLoaderFiles('onnxruntime'), listLoaderFiles('openvino')]);
  const known = new Set(plain.map(({ path }) => path));
  const added = more.map(({ path }) => path).filter((path) => !known.has(path));
  expect(added).toContain('optimise-model/dist/runtimes/openvino/openvino-adapter.js');
  expect(added).toContain('optimise-model/dist/runtimes/openvino/find-openvino.js');
  expect(added.filter((path) => !/dist\/(runtimes|native|lib|messages)\//.test(path))).toEqual([]);
  expect(more).toHaveLength(plain.length + added.length);
});
