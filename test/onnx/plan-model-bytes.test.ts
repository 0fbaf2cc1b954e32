import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { onnx } from 'onnx-proto';
import { beforeEach, describe, expect, it } from 'vitest';
import { edit } from '../../src/onnx/edit-message.js';
import type { Rope } from '../../src/onnx/piece.js';
import { planModelBytes } from '../../src/onnx/plan-model-bytes.js';
import type { GraphProto, ModelProto, NodeProto, TensorProto } from '../../src/onnx/proto.js';
import { type OnnxModel, readModel } from '../../src/onnx/read-model.js';
import { withContent } from '../../src/onnx/tensor-content.js';
import { floats, graph, model, node, proto, ramp, value } from '../fixtures/build-model.js';
import { editAtRandom, fillPayloads, touchAll } from '../fixtures/edit-at-random.js';
import { withPayloadsEverywhere } from '../fixtures/model-with-payloads.js';
import { Choices, randomModel } from '../fixtures/random-message.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { roundAll, writeRope } from '../fixtures/write-rope.js';

const tempFolder = useTempFolder();

let folder: string;
let files = 0;
beforeEach(async () => {
  folder = await tempFolder();
});

async function readBytes(bytes: Uint8Array): Promise<OnnxModel> {
  files += 1;
  const path = join(folder, `${files}.onnx`);
  await writeFile(path, bytes);
  return readModel(path);
}

async function readBuilt(content: onnx.IModelProto): Promise<OnnxModel> {
  return readBytes(proto.ModelProto.encode(content).finish());
}

/** The model with its graph edited. */
function withGraph({ model: decoded }: OnnxModel, changes: Partial<GraphProto>): ModelProto {
  return edit<ModelProto>(decoded, { graph: edit<GraphProto>(decoded.graph ?? {}, changes) });
}

async function rewrite(source: OnnxModel, next: ModelProto): Promise<Buffer> {
  return writeRope(source, planModelBytes(source, next));
}

/** What onnx-proto understands, in its own spelling. */
function spell(bytes: Uint8Array): Buffer {
  return Buffer.from(proto.ModelProto.encode(proto.ModelProto.decode(bytes)).finish());
}

const tape = fc.array(fc.nat(1 << 20), { maxLength: 600, size: 'max' });

describe('planModelBytes without a change', () => {
  it('copies the file as one piece', async () => {
    const source = await readBuilt(withPayloadsEverywhere());
    const whole: Rope = {
      pieces: [{ kind: 'source', start: 0, end: source.sizeBytes }],
      sizeBytes: source.sizeBytes,
    };
    expect(planModelBytes(source, source.model)).toEqual(whole);
    expect(planModelBytes(source, touchAll('ModelProto', source.model))).toEqual(whole);
  });

  it('is byte-identical for whatever can be read, even when every message was touched', async () => {
    await fc.assert(
      fc.asyncProperty(tape, async (numbers) => {
        const bytes = randomModel(new Choices(numbers));
        const source = await readBytes(bytes);
        const touched = touchAll('ModelProto', source.model);
        expect(Buffer.compare(await rewrite(source, touched), bytes)).toBe(0);
        expect(planModelBytes(source, touched).pieces).toHaveLength(1);
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });
});

describe('planModelBytes with random changes', () => {
  it('writes what the edited model says', async () => {
    await fc.assert(
      fc.asyncProperty(tape, tape, async (numbers, changes) => {
        const bytes = randomModel(new Choices(numbers));
        const source = await readBytes(bytes);
        const next = editAtRandom(new Choices(changes), 'ModelProto', source.model, true);
        const wanted = proto.ModelProto.encode(fillPayloads('ModelProto', next, bytes)).finish();
        expect(Buffer.compare(spell(await rewrite(source, next)), wanted)).toBe(0);
      }),
      { numRuns: 500, endOnFailure: true },
    );
  });

  it('loses no unknown field of a message that is still there', async () => {
    await fc.assert(
      fc.asyncProperty(tape, tape, async (numbers, changes) => {
        const source = await readBytes(randomModel(new Choices(numbers)));
        const next = editAtRandom(new Choices(changes), 'ModelProto', source.model, false);
        const written = await readBytes(await rewrite(source, next));
        expect(countAll(written)).toEqual(countAll(source));
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });
});

function countAll({ unknownFields }: OnnxModel): readonly string[] {
  return unknownFields.map(({ path, field, count }) => `${path} ${field} ${count}`).sort();
}

/** Where two files begin and cease to differ, counted from the beginning and from the end. */
function sameEnds(left: Buffer, right: Buffer): { before: number; after: number } {
  let before = 0;
  while (before < left.length && left[before] === right[before]) before += 1;
  let after = 0;
  while (after < left.length && left.at(-1 - after) === right.at(-1 - after)) after += 1;
  return { before, after };
}

describe('an edited initializer', () => {
  const weights = [ramp('a', [600]), ramp('b', [600]), floats('c', [2], [1, 2])];
  const content = model(graph({ nodes: [node('Relu', ['x'], ['y'])], initializers: weights }));

  async function replace(change: (tensor: TensorProto, source: OnnxModel) => TensorProto) {
    const bytes = Buffer.from(proto.ModelProto.encode(content).finish());
    const source = await readBytes(bytes);
    const [a = {}, b = {}, c = {}] = source.model.graph?.initializer ?? [];
    const rope = planModelBytes(source, withGraph(source, { initializer: [a, change(b, source), c] }));
    const written = await writeRope(source, rope);
    return { bytes, rope, written, tensors: proto.ModelProto.decode(written).graph?.initializer ?? [] };
  }

  it('is rounded from its place in the source, and nothing else changes but the lengths around it', async () => {
    const { bytes, rope, written, tensors } = await replace((tensor, { path, bytes: { holes } }) => {
      const { start = 0, end = 0 } = holes[1] ?? {};
      const range = { path, offset: start, sizeBytes: end - start };
      return withContent(tensor, 10, { kind: 'range', range, form: 'half' });
    });
    expect(rope.pieces.map(({ kind }) => kind)).toEqual(['bytes', 'source', 'bytes', 'range', 'source']);
    expect(tensors[1]).toMatchObject({ name: 'b', dataType: 10 });
    const raw = weights[1]?.rawData ?? new Uint8Array(0);
    expect(Buffer.compare(tensors[1]?.rawData ?? raw, roundAll(raw))).toBe(0);
    expect(Buffer.compare(tensors[0]?.rawData ?? raw, weights[0]?.rawData ?? raw)).toBe(0);
    expect(written.length).toBe(bytes.length - 1200);
    const end = bytes.indexOf(raw, 2400) + 2400;
    expect(sameEnds(bytes, written).after).toBe(bytes.length - end);
  });

  it('that keeps its size leaves every byte outside of it alone', async () => {
    const { bytes, written } = await replace((tensor) =>
      withContent(tensor, 1, { kind: 'bytes', bytes: new Uint8Array(2400).fill(0xee) }),
    );
    const begin = bytes.indexOf(weights[1]?.rawData ?? '', 2400);
    expect(written.length).toBe(bytes.length);
    expect(sameEnds(bytes, written)).toEqual({ before: begin, after: bytes.length - begin - 2400 });
  });

  it('may refer to a data file, and be taken in from one', async () => {
    const place = { location: 'm.data', offset: 4096, sizeBytes: 2400 };
    const { written, tensors } = await replace((tensor) =>
      withContent(tensor, 1, { kind: 'external', ...place }),
    );
    expect(tensors[1]).toMatchObject({
      ...{ name: 'b', dims: expect.anything(), dataLocation: 1 },
      externalData: [
        { key: 'location', value: 'm.data' },
        { key: 'offset', value: '4096' },
        { key: 'length', value: '2400' },
      ],
    });
    expect(Object.hasOwn(tensors[1] ?? {}, 'rawData')).toBe(false);
    const source = await readBytes(written);
    const [a = {}, b = {}, c = {}] = source.model.graph?.initializer ?? [];
    const inside = withContent(b, 1, { kind: 'bytes', bytes: new Uint8Array(2400) });
    const back = proto.ModelProto.decode(
      await rewrite(source, withGraph(source, { initializer: [a, inside, c] })),
    );
    expect(back.graph?.initializer?.[1]?.rawData).toHaveLength(2400);
    expect(Object.hasOwn(back.graph?.initializer?.[1] ?? {}, 'dataLocation')).toBe(false);
    expect(back.graph?.initializer?.[1]?.externalData).toEqual([]);
  });

  it('may get a name and keep its payload', async () => {
    const { tensors, rope } = await replace((tensor) => edit(tensor, { name: 'renamed' }));
    expect(tensors.map(({ name }) => name)).toEqual(['a', 'renamed', 'c']);
    expect(
      Buffer.compare(tensors[1]?.rawData ?? Buffer.alloc(0), weights[1]?.rawData ?? Buffer.alloc(1)),
    ).toBe(0);
    expect(rope.pieces.every(({ kind }) => kind !== 'range')).toBe(true);
  });

  it('is not given other elements beside those in the file', async () => {
    await expect(replace((tensor) => edit(tensor, { rawData: new Uint8Array(2400) }))).rejects.toThrow(
      'withContent',
    );
  });

  it('gets a type where it had none', async () => {
    const source = await readBuilt(model(graph({ nodes: [], initializers: [{ name: 'w', dims: [2] }] })));
    const [tensor = {}] = source.model.graph?.initializer ?? [];
    const filled = withContent(tensor, 10, { kind: 'bytes', bytes: Uint8Array.of(1, 2, 3, 4) });
    const written = proto.ModelProto.decode(
      await rewrite(source, withGraph(source, { initializer: [filled] })),
    );
    expect(written.graph?.initializer?.[0]).toMatchObject({
      dataType: 10,
      rawData: Buffer.of(1, 2, 3, 4),
    });
  });
});

describe('a list of nodes', () => {
  const names = ['a', 'b', 'c', 'd'];
  const weight = ramp('w', [2]);

  /** The nodes, an initializer between `b` and `c`, as no codec writes it. */
  async function readMixed(): Promise<OnnxModel> {
    const encodeNode = (name: string) => proto.GraphProto.encode({ node: [{ name }] }).finish();
    const [a, b, c, d] = names.map(encodeNode) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    const tensor = proto.GraphProto.encode({ initializer: [weight] }).finish();
    const main = Buffer.concat([a, b, tensor, c, d]);
    return readBytes(proto.ModelProto.encode({}).uint32(58).bytes(main).finish());
  }

  /** The order of the fields of the graph that is written; `#` is the initializer. */
  async function order(change: (nodes: readonly NodeProto[]) => NodeProto[]): Promise<string> {
    const source = await readMixed();
    const written = await rewrite(
      source,
      withGraph(source, { node: change(source.model.graph?.node ?? []) }),
    );
    const read = proto.ModelProto.decode(written).graph;
    const places = (read?.node ?? []).map(
      ({ name }) => [name, written.indexOf(`\u001a\u0001${name}`)] as const,
    );
    places.push(['#', written.indexOf(Buffer.from(weight.rawData ?? ''))]);
    const listed = (read?.node ?? []).map(({ name }) => name).join('');
    const placed = places.sort((left, right) => left[1] - right[1]).map(([name]) => name);
    expect(placed.filter((name) => name !== '#').join('')).toBe(listed);
    return placed.join('');
  }

  const made = (name: string): NodeProto => ({ name });

  it('keeps its places among the other fields', async () => {
    expect(await order((nodes) => [...nodes])).toBe('ab#cd');
    expect(await order(([a = {}, b = {}, ...rest]) => [a, edit(b, { name: 'B' }), ...rest])).toBe('aB#cd');
  });

  it('takes new nodes after the one that they follow', async () => {
    expect(await order(([a = {}, b = {}, ...rest]) => [a, b, made('x'), made('y'), ...rest])).toBe('abxy#cd');
    expect(await order((nodes) => [made('x'), ...nodes])).toBe('xab#cd');
    expect(await order((nodes) => [...nodes, made('x')])).toBe('ab#cdx');
  });

  it('may lose nodes, all of them, and get others', async () => {
    expect(await order(([, b = {}, c = {}]) => [b, c])).toBe('b#c');
    expect(await order(() => [])).toBe('#');
    expect(await order(() => [made('x'), made('y')])).toBe('xy#');
    expect(await order(([a = {}]) => [made('x'), a, made('y')])).toBe('xay#');
  });

  it('may change its order', async () => {
    expect(await order(([a = {}, b = {}, c = {}, d = {}]) => [d, c, made('x'), b, a])).toBe('dcx#ba');
    expect(await order(([a = {}, , c = {}, d = {}]) => [d, a, edit(c, { name: 'C' })])).toBe('d#aC');
  });

  it('may be given to a graph that had none', async () => {
    const source = await readBuilt(model(graph({ nodes: [], initializers: [ramp('w', [600])] })));
    const next = withGraph(source, { node: [node('Relu', ['w'], ['y'])] });
    expect(proto.ModelProto.decode(await rewrite(source, next)).graph?.node).toHaveLength(1);
  });
});

describe('an edited message', () => {
  it('may lose and get fields of every kind', async () => {
    const source = await readBuilt(withPayloadsEverywhere());
    const [first = {}, ...rest] = source.model.graph?.node ?? [];
    const renamed = edit(first, { input: ['d'], output: [], name: 'n', docString: 'new', domain: null });
    const written = proto.ModelProto.decode(
      await rewrite(source, withGraph(source, { node: [renamed, ...rest], docString: null })),
    );
    expect(written.graph?.node?.[0]).toMatchObject({ input: ['d'], output: [], name: 'n', docString: 'new' });
    expect(Object.hasOwn(written.graph?.node?.[0] ?? {}, 'domain')).toBe(false);
    expect(Object.hasOwn(written.graph ?? {}, 'docString')).toBe(false);
  });

  it('keeps its place when a number in it changes, and is left alone when it does not', async () => {
    const source = await readBuilt(withPayloadsEverywhere());
    const next = edit<ModelProto>(source.model, { irVersion: 9, modelVersion: 3 });
    const written = await rewrite(source, next);
    expect(written[1]).toBe(9);
    expect(Buffer.compare(written.subarray(2), (await rewrite(source, source.model)).subarray(2))).toBe(0);
  });

  it('refuses a bigint, which onnx-proto would write as 0', async () => {
    const source = await readBuilt(withPayloadsEverywhere());
    const next = edit<ModelProto>(source.model, { irVersion: 9n as unknown as number });
    expect(() => planModelBytes(source, next)).toThrow(TypeError);
    const attribute = { name: 'i', i: 1n as unknown as number };
    const added = withGraph(source, { node: [{ opType: 'X', attribute: [attribute] }] });
    expect(() => planModelBytes(source, added)).toThrow(TypeError);
  });

  it('may be new around tensors whose elements are elsewhere', async () => {
    const source = await readBuilt(withPayloadsEverywhere());
    const [small = {}, large = {}] = source.model.graph?.initializer ?? [];
    const halves = withContent({ name: 'h', dims: [2], rawData: new Uint8Array(8) }, 10, {
      kind: 'bytes',
      bytes: Uint8Array.of(1, 2, 3, 4),
    });
    const attribute = [large, halves, small].map((t, index) => ({ name: `a${index}`, type: 4, t }));
    const next = withGraph(source, { node: [node('Custom', [], ['y'], {}), { opType: 'New', attribute }] });
    const written = proto.ModelProto.decode(await rewrite(source, next));
    const made = written.graph?.node?.[1]?.attribute ?? [];
    expect(made.map(({ name }) => name)).toEqual(['a0', 'a1', 'a2']);
    const kept = made.find(({ name }) => name === 'a0')?.t;
    const before = proto.ModelProto.decode(await rewrite(source, source.model)).graph?.initializer?.[1];
    expect(Buffer.compare(kept?.rawData ?? Buffer.alloc(0), before?.rawData ?? Buffer.alloc(1))).toBe(0);
    const filled = made.find(({ name }) => name === 'a1')?.t;
    expect(filled).toMatchObject({ name: 'h', dataType: 10, rawData: Buffer.of(1, 2, 3, 4) });
  });

  it('deep inside keeps unknown fields around it', async () => {
    const strange = Uint8Array.of(0xf8, 0x7c, 1);
    const type = value('x', [3]).type ?? {};
    const tensorType = Buffer.concat([
      proto.TypeProto.Tensor.encode(type.tensorType ?? {}).finish(),
      strange,
    ]);
    const wrap = (field: number, content: Uint8Array) =>
      Buffer.concat([
        proto.ModelProto.encode({})
          .uint32(field * 8 + 2)
          .bytes(content)
          .finish(),
        strange,
      ]);
    const bytes = wrap(7, wrap(11, wrap(2, wrap(1, tensorType))));
    const source = await readBytes(bytes);
    const [info = {}] = source.model.graph?.input ?? [];
    const half = edit(info.type?.tensorType ?? {}, { elemType: 10 });
    const input = [edit(info, { type: edit(info.type ?? {}, { tensorType: half }) })];
    const written = await rewrite(source, withGraph(source, { input }));
    const wanted = Buffer.from(bytes);
    wanted[wanted.indexOf(Buffer.from([8, 1])) + 1] = 10;
    expect(written).toEqual(wanted);
  });
});

describe('fields that are newer than the schema of onnx-proto', () => {
  const entry = proto.StringStringEntryProto.encode({ key: 'namespace', value: 'layer.0' }).finish();
  const field = (number: number, content: Uint8Array) =>
    proto.ModelProto.encode({})
      .uint32(number * 8 + 2)
      .bytes(content)
      .finish();
  const join = (...parts: Uint8Array[]) => Buffer.concat(parts);
  const large = proto.TensorProto.encode(ramp('default', [600])).finish();

  /** Metadata at every level, overloads, device configurations, and an attribute of a function with a large tensor. */
  function encodeNew(opType: string): Buffer {
    const metadata = (number: number) => field(number, entry);
    const device = field(10, join(field(1, Buffer.from('conf')), Buffer.of(0x18, 2)));
    const made = { opType, input: ['x'], output: ['y'] };
    const call = join(
      proto.NodeProto.encode(made).finish(),
      field(8, Buffer.from('v2')),
      metadata(9),
      device,
    );
    const weight = join(proto.TensorProto.encode(floats('w', [2], [1, 2])).finish(), metadata(16));
    const info = join(proto.ValueInfoProto.encode(value('x', [3])).finish(), metadata(4));
    const main = join(metadata(16), field(1, call), field(5, weight), field(11, info), field(5, large));
    const attribute = field(11, join(field(1, Buffer.from('alpha')), field(5, large)));
    const fn = join(
      proto.FunctionProto.encode({ name: 'f', domain: 'd' }).finish(),
      ...[attribute, field(7, call), field(12, info), field(13, Buffer.from('v2')), metadata(14)],
    );
    return join(field(26, field(1, Buffer.from('conf'))), field(7, main), field(25, fn), metadata(14));
  }

  it('stay where they are when what is around them is edited', async () => {
    const source = await readBytes(encodeNew('Relu'));
    const { graph: main, functions } = source.model;
    const rename = (nodes: readonly NodeProto[] | null | undefined) =>
      (nodes ?? []).map((old) => edit(old, { opType: 'Gelu' }));
    const next = edit<ModelProto>(source.model, {
      graph: edit<GraphProto>(main ?? {}, { node: rename(main?.node) }),
      functions: functions.map((fn) => edit(fn, { node: rename(fn.node) })),
    });
    expect(await rewrite(source, next)).toEqual(encodeNew('Gelu'));
  });
});

describe('many edited nodes', () => {
  it('become few pieces', async () => {
    const nodes = Array.from({ length: 2000 }, (_unused, index) =>
      node('Relu', [`v${index}`], [`v${index + 1}`]),
    );
    const source = await readBuilt(model(graph({ nodes, initializers: [ramp('w', [600])] })));
    const node2 = (source.model.graph?.node ?? []).map((old) => edit(old, { input: ['longer name'] }));
    const rope = planModelBytes(source, withGraph(source, { node: node2 }));
    expect(rope.pieces.length).toBeLessThan(5);
    const written = proto.ModelProto.decode(await writeRope(source, rope));
    expect(written.graph?.node?.every(({ input }) => input?.[0] === 'longer name')).toBe(true);
  });
});
