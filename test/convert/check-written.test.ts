import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { checkWritten } from '../../src/convert/check-written.js';
import { convertModel } from '../../src/convert/convert-model.js';
import * as planning from '../../src/onnx/plan-model-bytes.js';
import { encode, floats, graph, model, node, proto, ramp, value } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { noise, runOnnx } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

vi.mock('../../src/onnx/plan-model-bytes.js', async (importOriginal) => {
  const original = await importOriginal<typeof planning>();
  return { planModelBytes: vi.fn(original.planModelBytes) };
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

async function check(
  source: onnx.IModelProto,
  written: onnx.IModelProto,
  halfNames: ReadonlySet<string> = new Set(),
): Promise<unknown> {
  const path = join(folder, 'written.onnx');
  await writeFile(path, encode(written));
  const claims = { path: 'source.onnx', model: proto.ModelProto.decode(encode(source)), halfNames };
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
    const changed =
      /^it should declare output 'y' .*"elemType":1,.* and declares output 'y' .*"elemType":10,/;
    expect(await check(whole, half)).toMatchObject({
      problems: ["'y' is declared float16 and is float32 (graph in graph)", expect.stringMatching(changed)],
    });
    const [two, other] = [[x, value('b', [300])], value('z', [300])];
    expect(await check(whole, model(graph({ ...parts, inputs: two })))).toMatchObject({
      problems: [expect.stringMatching(/^it should declare .*'x'/)],
    });
    const renamed = { ...parts, outputs: [other], nodes: [...parts.nodes, node('Neg', ['y'], ['z'])] };
    expect(await check(whole, model(graph(renamed)))).toMatchObject({
      problems: [expect.stringMatching(/^it should declare output 'y' .* and declares output 'z' /)],
    });
  });

  it('expects FP16 of the inputs and outputs that were to become it, and of no other', async () => {
    const made = [node('Cast', ['y32'], ['y'], { to: 10 }), node('Add', ['m', 'w'], ['y32'])].toReversed();
    const half = model(
      graph({ ...parts, nodes: [parts.nodes[0] ?? {}, ...made], outputs: [value('y', [300], 10)] }),
    );
    expect(await check(whole, half, new Set(['y']))).toBeUndefined();
    expect(await check(whole, half, new Set(['x', 'y']))).toMatchObject({
      problems: [expect.stringMatching(/^it should declare input 'x' .*"elemType":10,/)],
    });
  });

  it('sees element types that do not fit, and a data file that is not there', async () => {
    const cast = [node('Cast', ['x'], ['h'], { to: 10 }), node('Mul', ['h', 'w'], ['m'])];
    const mixed = model(graph({ ...parts, nodes: [...cast, node('Add', ['m', 'w'], ['y'])] }));
    expect(await check(whole, mixed)).toMatchObject({
      problems: expect.arrayContaining([
        "'w' is float32, another of its values is float16 (Mul input 1 in graph)",
      ]),
    });
    const externalData = [{ key: 'location', value: 'gone.data' }];
    const away = { name: 'w', dims: [300], dataType: 1, dataLocation: 1, externalData };
    expect(await check(whole, model(graph({ ...parts, initializers: [away] })))).toMatchObject({
      problems: [expect.stringContaining('gone.data')],
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
  const precision = 'fp16-weights';

  it.each(['artifact', 'bare.onnx'])(
    'that came out broken is a bug, and leaves nothing at %s',
    async (name) => {
      const source = join(folder, 'source.onnx');
      await writeFile(source, encode(whole));
      const bytes = encode(model(graph({ ...parts, initializers: [] })));
      const rope = { pieces: [{ kind: 'bytes', bytes } as const], sizeBytes: bytes.length };
      vi.mocked(planning.planModelBytes).mockReturnValueOnce(rope);
      const options = completeOptions({ model: source, precision, out: join(folder, name) });
      const error = await catchError(() => convertModel(options));
      expect(error).toMatchObject({ code: 'conversion-broken', exitCode: 70, facts: { path: source } });
      expect(error.remedy).toContain('Report it');
      expect(await readdir(folder)).toEqual(['source.onnx']);
    },
  );

  it.each(['fp16-weights', 'fp16'] as const)(
    'to %s refuses a name that is given to two tensors, before anything is written',
    async (wanted) => {
      const source = join(folder, 'source.onnx');
      const twice = { ...parts, initializers: [floats('w', [300], Array(300).fill(1)), ramp('w', [300])] };
      await writeFile(source, encode(model(graph(twice))));
      expect((await runOnnx(source, { x: noise([300]) })).y).toHaveLength(300);
      const out = join(folder, 'new', 'bare.onnx');
      await mkdir(join(folder, 'new'));
      const options = completeOptions({ precision: wanted, model: source, out });
      const error = await catchError(() => convertModel(options));
      expect(error).toMatchObject({ code: 'model-names-repeated', exitCode: 2 });
      expect(error.facts).toEqual({ path: source, names: [{ name: 'w', scope: 'graph' }] });
      expect(await readdir(join(folder, 'new'))).toEqual([]);
    },
  );
});
