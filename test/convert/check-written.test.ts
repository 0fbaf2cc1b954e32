import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { checkWritten, noteClaims } from '../../src/convert/check-written.js';
import { convertModel } from '../../src/convert/convert-model.js';
import * as encoding from '../../src/onnx/encode-model.js';
import { encode, floats, graph, model, node, proto, ramp, value } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { noise, runOnnx } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

vi.mock('../../src/onnx/encode-model.js', async (importOriginal) => {
  const original = await importOriginal<typeof encoding>();
  return { encodeModel: vi.fn(original.encodeModel) };
});

const tempFolder = useTempFolder();
let folder = '';
beforeEach(async () => {
  folder = await tempFolder();
});

const [x, y] = [value('x', [300]), value('y', [300])];
const parts = {
  inputs: [x],
  outputs: [y],
  nodes: [node('Mul', ['x', 'w'], ['m']), node('Add', ['m', 'w'], ['y'])],
  initializers: [ramp('w', [300])],
};
const whole = model(graph(parts));

async function check(source: onnx.IModelProto, written: onnx.IModelProto): Promise<unknown> {
  const path = join(folder, 'written.onnx');
  await writeFile(path, encode(written));
  const claims = noteClaims('source.onnx', proto.ModelProto.decode(encode(source)));
  return checkWritten(path, claims).then(
    () => undefined,
    (error) => ({ code: error.code, exitCode: error.exitCode, ...error.facts }),
  );
}

function broken(problem: string) {
  return { code: 'conversion-broken', exitCode: 70, path: 'source.onnx', problems: [problem] };
}

describe('checkWritten', () => {
  it('takes a model that declares what its source does, with every name defined once', async () => {
    expect(await check(whole, whole)).toBeUndefined();
  });

  it('sees a name that nothing defines, or that is defined only later', async () => {
    const gone = model(graph({ ...parts, initializers: [] }));
    const reversed = model(graph({ ...parts, nodes: parts.nodes.toReversed() }));
    expect(await check(whole, gone)).toMatchObject({
      problems: ["'w' is read in graph, but never defined", "'w' is read in graph, but never defined"],
    });
    expect(await check(whole, reversed)).toEqual(broken("'m' is read in graph, but never defined"));
  });

  it('sees a name that is defined twice, and lets a tensor be the default of an input', async () => {
    const twice = model(graph({ ...parts, nodes: [...parts.nodes, node('Neg', ['x'], ['m'])] }));
    expect(await check(whole, twice)).toEqual(broken("'m' is defined twice in graph"));
    const fed = model(graph({ ...parts, inputs: [x, value('w', [300])] }));
    expect(await check(fed, fed)).toBeUndefined();
  });

  it('sees inputs and outputs that changed', async () => {
    const half = model(graph({ ...parts, outputs: [value('y', [300], 10)] }));
    expect(await check(whole, half)).toMatchObject({
      problems: [
        expect.stringMatching(/^its inputs and outputs were output .*"elemType":1,.*"elemType":10,/),
      ],
    });
  });

  it('resolves names in bodies and functions by their own scopes and those around them', async () => {
    const body = (name: string, reads: string) =>
      graph({ nodes: [node('Add', [reads, 'x'], [name])], outputs: [value(name, [300])] });
    const branches = (reads: string) =>
      node('If', ['c'], ['m'], { then_branch: body('t', reads), else_branch: body('e', 'w') });
    const fn = { name: 'f', domain: 'd', input: ['a'], output: ['b'], node: [node('Neg', ['a'], ['b'])] };
    const withIf = (reads: string) =>
      model(
        graph({
          ...parts,
          inputs: [x, value('c', [], 9)],
          nodes: [branches(reads), node('f', ['m'], ['y'])],
        }),
        { functions: [fn] },
      );
    expect(await check(withIf('w'), withIf('w'))).toBeUndefined();
    expect(await check(withIf('w'), withIf('t'))).toEqual(
      broken("'t' is read in graph/If[0].then_branch, but never defined"),
    );
  });

  it('does not blame a conversion for what the source has wrong already', async () => {
    const reversed = model(graph({ ...parts, nodes: parts.nodes.toReversed() }));
    expect(await check(reversed, reversed)).toBeUndefined();
  });
});

describe('a conversion', () => {
  const base = { precision: 'fp16-weights', engine: 'onnxruntime', minWeightBytes: 0 } as const;

  it.each(['artifact', 'bare.onnx'])(
    'that came out broken is a bug, and leaves nothing at %s',
    async (name) => {
      const source = join(folder, 'source.onnx');
      await writeFile(source, encode(whole));
      vi.mocked(encoding.encodeModel).mockImplementationOnce(() =>
        encode(model(graph({ ...parts, initializers: [] }))),
      );
      const options = { ...base, model: source, layout: 'single', out: join(folder, name) } as const;
      const error = await catchError(() => convertModel(options));
      expect(error).toMatchObject({ code: 'conversion-broken', exitCode: 70, facts: { path: source } });
      expect(error.remedy).toContain('Report it');
      expect(await readdir(folder)).toEqual(['source.onnx']);
    },
  );

  it.each(['fp16-weights', 'fp16'] as const)(
    'to %s refuses a name that is given to two tensors, before anything is written',
    async (precision) => {
      const source = join(folder, 'source.onnx');
      const twice = { ...parts, initializers: [floats('w', [300], Array(300).fill(1)), ramp('w', [300])] };
      await writeFile(source, encode(model(graph(twice))));
      expect((await runOnnx(source, { x: noise([300]) })).y).toHaveLength(300);
      const out = join(folder, 'new', 'bare.onnx');
      await mkdir(join(folder, 'new'));
      const options = { ...base, precision, model: source, layout: 'single', out } as const;
      const error = await catchError(() => convertModel(options));
      expect(error).toMatchObject({ code: 'model-names-repeated', exitCode: 2 });
      expect(error.facts).toEqual({ path: source, names: [{ name: 'w', scope: 'graph' }] });
      expect(await readdir(join(folder, 'new'))).toEqual([]);
    },
  );
});
