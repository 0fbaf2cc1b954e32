import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeChildEnvironment } from '../../src/lib/child-environment.js';
import { writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { stageInBucket } from '../fixtures/staged-bucket.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { requireOpenvino } from '../services/require-openvino.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';

const root = resolve(import.meta.dirname, '../..');
const temporaryFolder = useTempFolder();

const handlerSource = `
  import { openModel } from 'optimise-model/loader';

  export const handler = async ({ source, ...options }) => {
    const model = await openModel(source, options);
    try {
      const { y } = await model.run({ x: { type: 'float32', dims: [64], data: new Float32Array(64).fill(1) } });
      return { outputs: Array.from(y.data), delivery: model.delivery };
    } finally {
      await model.close();
    }
  };
`;

/** The line of the README, as a user copies it into a shell. */
const readmeLine = /^ *(esbuild handler\.mjs [^`]+?)\n *```/m.exec(
  readFileSync(join(root, 'README.md'), 'utf8'),
)?.[1];
const readmeBanner = /--banner:js="([^"]+)"/.exec(readmeLine ?? '')?.[1];

/** Runs that line where `optimise-model` is installed. */
async function bundleAsInReadme(folder: string, more: string, imports = ''): Promise<string> {
  await writeFile(join(folder, 'handler.mjs'), imports + handlerSource);
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules', 'optimise-model'));
  const path = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`;
  const env = { ...makeChildEnvironment(process.env), PATH: path };
  await promisify(execFile)('sh', ['-c', `${readmeLine}${more}`], { cwd: folder, env });
  const outputFile = /--outfile=(\S+)/.exec(readmeLine ?? '')?.[1] ?? '';
  return join(folder, outputFile);
}

const runHandler = `
  const { handler } = await import(process.argv[1]);
  console.log(JSON.stringify(await handler(JSON.parse(process.argv[2]))));
`;

/** What a user tells esbuild; the settings of this repository are none of it. */
async function bundle(folder: string, more: BuildOptions): Promise<Metafile['outputs']> {
  const entry = join(folder, 'handler.mjs');
  await writeFile(entry, handlerSource);
  const { metafile } = await build({
    ...more,
    entryPoints: [entry],
    outdir: join(folder, 'out'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minify: true,
    metafile: true,
    alias: { 'optimise-model/loader': join(root, 'dist/loader/index.js') },
    tsconfigRaw: {},
    logLevel: 'error',
  });
  return metafile.outputs;
}

const outputs = Array.from({ length: 64 }, (_, index) => index + 1);

describe('a handler that is bundled with the loader', () => {
  it.each([false, true])(
    'is under 100 KiB without its dependencies (in several files: %s)',
    async (splitting) => {
      const made = await bundle(await temporaryFolder(), { packages: 'external', splitting });
      const sizeBytes = Object.values(made).reduce((sum, output) => sum + output.bytes, 0);
      console.log(`the loader takes ${sizeBytes} bytes of a bundle (in several files: ${splitting})`);
      expect(sizeBytes).toBeLessThan(100 * 1024);
      const inputs = Object.values(made).flatMap((output) => Object.keys(output.inputs));
      const foreign = inputs.filter((path) =>
        /dist\/(api|bench|check|cli|convert|cost|inputs|native|onnx|pick|pipeline|publish|report|stage|validate)\//.test(
          path,
        ),
      );
      expect(foreign).toEqual([]);
      expect(inputs.filter((path) => /\/(catalogue|upload-[a-z]+|directory-store)\.js$/.test(path))).toEqual(
        [],
      );
      const packages = Object.values(made).flatMap((output) => output.imports.map(({ path }) => path));
      const expected =
        /^(node:|\.|@aws-sdk\/client-s3$|@smithy\/(node-http-handler|core\/)|onnxruntime-node$|[a-z_/]+$)/;
      expect(packages.filter((path) => !expected.test(path))).toEqual([]);
    },
  );

  it('has the banner of the README in the Lambda template too', async () => {
    expect(readmeBanner).toContain('createRequire');
    const script = await readFile(join(root, 'pipelines/lambda/node-loader/build.mjs'), 'utf8');
    expect(script).toContain(`js: "${readmeBanner}"`);
  });

  describe('and deployed without what was installed', () => {
    let s3: RunningS3 | undefined;
    let current: string;
    let kept: string;
    /** By what is added to the line of the README. */
    const bundles = new Map<string, string>();

    /** A bundle of the handler as it is, made once: it is copied to where it is deployed. */
    async function bundleOnce(more: string): Promise<string> {
      const found = bundles.get(more);
      if (found !== undefined) return found;
      const built = await bundleAsInReadme(await mkdtemp(join(kept, 'bundle-')), more);
      bundles.set(more, built);
      return built;
    }

    beforeAll(async () => {
      kept = await mkdtemp(join(tmpdir(), 'optimise-model-test-'));
      s3 = await startS3IfFound();
      if (s3 === undefined) return;
      useS3(s3);
      ({ current } = await stageInBucket(s3, 'bundled'));
    });

    beforeEach(async (context) => {
      await requireS3(context, s3);
    });

    afterAll(async () => {
      await s3?.stop();
      await rm(kept, { recursive: true, force: true });
    });

    describe.each([
      ['minified', ' --minify'],
      ['not minified', ''],
    ])('bundled by the line of the README, %s,', (_title, more) => {
      it.each(['s3-copy', 'stream', 'lazy'] as const)('opens a staged model by %s', async (delivery) => {
        const built = await bundleOnce(more);
        expect(await deployAndRun(built, ['onnxruntime-node'], delivery)).toEqual({ outputs, delivery });
      });
    });

    it('opens it with the AWS SDK outside the bundle too, as Lambda brings one, without a banner', async () => {
      const built = await temporaryFolder();
      const external = ['onnxruntime-node', '@aws-sdk/*', '@smithy/*'];
      await bundle(built, { external });
      const packages = ['onnxruntime-node', '@aws-sdk', '@smithy'];
      const delivery = 's3-copy';
      expect(await deployAndRun(join(built, 'out', 'handler.mjs'), packages, delivery)).toEqual({
        outputs,
        delivery,
      });
    });

    describe('with an artifact for OpenVINO', () => {
      const importOpenvino = `import 'optimise-model/loader/openvino';\n`;
      let artifact: string;

      beforeEach(async (context) => {
        await requireOpenvino(context);
        artifact = await temporaryFolder();
        await writeTinyArtifact(artifact, { engine: 'openvino', layout: 'ir' });
      });

      it('opens it when it imports what speaks to OpenVINO, with koffi outside', async () => {
        const built = await bundleAsInReadme(
          await temporaryFolder(),
          ' --minify --external:koffi',
          importOpenvino,
        );
        const delivery = 'layer';
        const answer = await deployAndRun(built, ['koffi', '@koromix'], delivery, artifact);
        expect(answer).toEqual({ outputs, delivery });
      });

      it('says what to import when it does not', async () => {
        const built = await bundleOnce('');
        const packages = ['onnxruntime-node', 'koffi', '@koromix'];
        await expect(deployAndRun(built, packages, 'layer', artifact)).rejects.toMatchObject({
          stderr: expect.stringMatching(/engine-not-bundled[\s\S]*`optimise-model\/loader\/openvino`/),
        });
      });

      it('opens it without any import when it is not bundled', async () => {
        const folder = await temporaryFolder();
        await writeFile(join(folder, 'handler.mjs'), handlerSource);
        const packages = ['onnxruntime-node', 'koffi', '@koromix', 'optimise-model'];
        const delivery = 'lazy';
        const answer = await deployAndRun(join(folder, 'handler.mjs'), packages, delivery, artifact);
        expect(answer).toEqual({ outputs, delivery });
      });
    });

    async function deployAndRun(
      built: string,
      packages: readonly string[],
      delivery: string,
      source = current,
    ) {
      const [deployed, ephemeralDir] = [await temporaryFolder(), await temporaryFolder()];
      const handler = join(deployed, 'handler.mjs');
      await writeFile(handler, await readFile(built));
      await mkdir(join(deployed, 'node_modules'));
      for (const name of packages) {
        const from = name === 'optimise-model' ? root : join(root, 'node_modules', name);
        await symlink(from, join(deployed, 'node_modules', name));
      }
      const event = JSON.stringify({ source, delivery, ephemeralDir });
      const args = ['--input-type=module', '-e', runHandler, handler, event];
      const env = makeChildEnvironment(process.env);
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: deployed, env });
      expect(await readdir(ephemeralDir)).toEqual([]);
      return JSON.parse(stdout);
    }
  });
});
