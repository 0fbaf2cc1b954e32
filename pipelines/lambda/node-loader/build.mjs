// Builds what Lambda is given: the handler and the loader in one file, and the runtime's native part beside it.
// `node build.mjs FOLDER`, in a folder where `optimise-model`, `onnxruntime-node` and `esbuild` are installed.
import { cp, mkdir, realpath, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Lambda's processors; `arm64` for a function on Graviton. */
const architecture = process.env.LAMBDA_ARCHITECTURE ?? 'x64';
const [target] = process.argv.slice(2);
if (target === undefined) throw new Error('usage: node build.mjs FOLDER');

await build({
  entryPoints: [fileURLToPath(new URL('handler.mjs', import.meta.url))],
  outfile: join(target, 'handler.mjs'),
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  // Native, so it stays outside; the loader imports it when it opens a model.
  external: ['onnxruntime-node', 'koffi'],
  // The AWS SDK has parts that are CommonJS.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
  },
});

const require = createRequire(import.meta.url);
const runtime = dirname(require.resolve('onnxruntime-node/package.json'));
// This one does not export its package.json.
const commonName = 'onnxruntime-common';
const commonMain = createRequire(join(runtime, 'package.json')).resolve(commonName);
const common = commonMain.slice(0, commonMain.lastIndexOf(commonName) + commonName.length);
const modules = join(target, 'node_modules');
await mkdir(modules, { recursive: true });
// Of 288 MB, what one platform needs.
for (const part of ['package.json', 'dist', `bin/napi-v6/linux/${architecture}`]) {
  await cp(join(runtime, part), join(modules, 'onnxruntime-node', part), { recursive: true });
}
await cp(common, join(modules, commonName), { recursive: true });
// What calls OpenVINO, whose libraries come in a layer: the JavaScript and the binary of one platform.
const fromOptimiseModel = createRequire(await realpath(require.resolve('optimise-model/loader')));
const koffi = dirname(fromOptimiseModel.resolve('koffi'));
const binary = `@koromix/koffi-linux-${architecture}`;
await cp(koffi, join(modules, 'koffi'), { recursive: true });
const binaryFolder = dirname(createRequire(join(koffi, 'package.json')).resolve(binary));
await cp(binaryFolder, join(modules, binary), { recursive: true });
await writeFile(join(target, 'package.json'), '{ "type": "module" }\n');
