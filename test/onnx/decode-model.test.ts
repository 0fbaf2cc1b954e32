import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { listScopes, listTensors } from '../../src/onnx/graph-walk.js';
import type { ModelProto } from '../../src/onnx/proto.js';
import { type OnnxModel, readModel } from '../../src/onnx/read-model.js';
import { readTensor } from '../../src/onnx/read-tensor.js';
import { refuseIfChanged } from '../../src/onnx/source-bytes.js';
import { storedAt } from '../../src/onnx/stored-payload.js';
import { findPayload, readPayload } from '../../src/onnx/tensor-payload.js';
import { floats, graph, model, node, proto, ramp } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { withPayloadsEverywhere } from '../fixtures/model-with-payloads.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();

async function readBytes(bytes: Uint8Array): Promise<OnnxModel> {
  const path = join(await tempFolder(), 'm.onnx');
  await writeFile(path, bytes);
  return readModel(path);
}

async function readTensors(content: onnx.IModelProto): Promise<OnnxModel> {
  return readBytes(proto.ModelProto.encode(content).finish());
}

function initializersOf({ model }: OnnxModel): readonly onnx.ITensorProto[] {
  return model.graph?.initializer ?? [];
}

/** Numbers from 0 on, more than stay in memory. */
const many = Array.from({ length: 3000 }, (_unused, index) => index);

/** One tensor that is stored in these fields. */
async function readOne(fields: onnx.ITensorProto): Promise<OnnxModel> {
  return readTensors(model(graph({ nodes: [], initializers: [{ name: 'w', dims: [3000], ...fields }] })));
}

async function readValues(read: OnnxModel): Promise<unknown[]> {
  const tensor = initializersOf(read)[0] ?? {};
  return Array.from((await readTensor(read.path, tensor, 'w')).data as Iterable<unknown>);
}

describe('a large payload', () => {
  it('stays in the file wherever the tensor is, and all else is decoded as ever', async () => {
    const content = withPayloadsEverywhere();
    const bytes = proto.ModelProto.encode(content).finish();
    const read = await readBytes(bytes);
    const tensors = listScopes(read.model).flatMap(listTensors);
    const stored = tensors.filter(({ tensor }) => storedAt(tensor) !== undefined);
    expect(stored).toHaveLength(11);
    for (const { tensor } of stored) {
      expect(Object.hasOwn(tensor, 'rawData')).toBe(false);
      const { offset, sizeBytes } = storedAt(tensor) ?? { offset: 0, sizeBytes: 0 };
      tensor.rawData = Buffer.from(bytes.subarray(offset, offset + sizeBytes));
    }
    const decoded: ModelProto = proto.ModelProto.decode(bytes);
    expect(JSON.stringify(read.model)).toBe(JSON.stringify(decoded));
  });

  it('is nowhere in memory', async () => {
    const read = await readTensors(model(graph({ nodes: [], initializers: [ramp('w', [1 << 20])] })));
    expect(read.sizeBytes).toBeGreaterThan(4 << 20);
    expect(read.bytes.runs.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(200);
  });

  it.each([
    ['raw_data', { dataType: 1, rawData: new Uint8Array(Float32Array.from(many).buffer) }, many],
    ['float_data', { dataType: 1, floatData: many }, many],
    ['double_data', { dataType: 11, doubleData: many }, many],
  ])('in %s is a range of the model file', async (_name, fields, expected) => {
    const read = await readOne(fields);
    const payload = await findPayload(read.path, initializersOf(read)[0] ?? {}, 'w');
    expect(payload).toMatchObject({ kind: 'file', path: read.path, location: undefined });
    expect(await readValues(read)).toEqual(expected);
  });

  it.each([
    [
      'halves in int32_data',
      { dataType: 10, int32Data: many.map((n) => n + 60_000) },
      many.map((n) => n + 60_000),
    ],
    ['bfloat16 in int32_data', { dataType: 16, int32Data: many }, many],
    [
      'int8 in int32_data',
      { dataType: 3, int32Data: many.map((n) => -(n % 100)) },
      many.map((n) => 0 - (n % 100)),
    ],
    ['bool in int32_data', { dataType: 9, int32Data: many.map((n) => n % 2) }, many.map((n) => n % 2)],
    ['int32 in int32_data', { dataType: 6, int32Data: many.map((n) => -n) }, many.map((n) => 0 - n)],
    [
      'int64 in int64_data',
      { dataType: 7, int64Data: many.map((n) => n * 2 ** 40 - 1) },
      many.map((n) => BigInt(n * 2 ** 40 - 1)),
    ],
    ['uint64 in uint64_data', { dataType: 13, uint64Data: many }, many.map(BigInt)],
    [
      'uint32 in uint64_data',
      { dataType: 12, uint64Data: many.map((n) => n + 2 ** 31) },
      many.map((n) => n + 2 ** 31),
    ],
  ])('of %s is decoded when it is read', async (_name, fields, expected) => {
    const read = await readOne(fields);
    const payload = await findPayload(read.path, initializersOf(read)[0] ?? {}, 'w');
    expect(payload?.kind).toBe('varints');
    expect(await readValues(read)).toEqual(expected);
  });

  it('of one long text is read, and so are texts beside it', async () => {
    const long = 'ü'.repeat(2000);
    const one = await readOne({ dims: [1], dataType: 8, stringData: [Buffer.from(long)] });
    expect(storedAt(initializersOf(one)[0] ?? {})?.field).toBe(6);
    expect(await readValues(one)).toEqual([long]);
    const texts = [Buffer.from(''), Buffer.from(long), Buffer.from('b')];
    const three = await readOne({ dims: [3], dataType: 8, stringData: texts });
    expect(await readValues(three)).toEqual(['', long, 'b']);
  });

  it.each([
    [
      'too few varints',
      { dataType: 6, int32Data: many.slice(1) },
      'needs 12000 bytes, 11996 bytes are there',
    ],
    ['too few floats', { dataType: 1, floatData: many.slice(1) }, 'needs 12000 bytes, 11996 bytes are there'],
    ['another typed field', { dataType: 6, floatData: many }, 'needs 12000 bytes, 0 bytes are there'],
    [
      'raw_data and a typed field',
      { dataType: 1, floatData: many, rawData: new Uint8Array(12000) },
      'stored twice',
    ],
    ['a data file as well', { dataType: 1, floatData: many, dataLocation: 1 }, 'both inside'],
  ])('is refused with %s', async (_name, fields, reason) => {
    const error = await catchError(async () => readValues(await readOne(fields)));
    expect(error.code).toBe('tensor-wrong');
    expect(error.facts.reason).toContain(reason);
  });

  it('that is stored in parts is put together as protobuf says', async () => {
    const half = (from: number) =>
      proto.TensorProto.encode({ floatData: many.slice(from, from + 1500) }).finish();
    const head = proto.TensorProto.encode({ name: 'w', dims: [3000], dataType: 1 }).finish();
    const raw = (fill: number) =>
      proto.TensorProto.encode({ rawData: new Uint8Array(12000).fill(fill) }).finish();
    const save = (tensor: Uint8Array) => {
      const main = proto.GraphProto.encode({}).uint32(42).bytes(tensor).finish();
      return readBytes(proto.ModelProto.encode({}).uint32(58).bytes(main).finish());
    };
    expect(await readValues(await save(Buffer.concat([half(0), head, half(1500)])))).toEqual(many);
    const [first] = await readValues(await save(Buffer.concat([raw(1), head, raw(0)])));
    expect(first).toBe(0);
    const empty = proto.TensorProto.encode({ rawData: new Uint8Array(0) }).finish();
    const error = await catchError(async () => readValues(await save(Buffer.concat([raw(1), head, empty]))));
    expect(error.facts.reason).toContain('0 bytes are there');
  });

  it('of damaged varints is refused when it is read', async () => {
    const tensor = proto.TensorProto.encode({ name: 'w', dims: [3000], dataType: 6 })
      .uint32(42)
      .bytes(new Uint8Array(3000).fill(0x80))
      .finish();
    const main = proto.GraphProto.encode({}).uint32(42).bytes(tensor).finish();
    const read = await readBytes(proto.ModelProto.encode({}).uint32(58).bytes(main).finish());
    const error = await catchError(() => readValues(read));
    expect(error.facts.reason).toBe('its numbers are damaged');
  });

  it('is not looked for in a file that has changed', async () => {
    const read = await readOne({ dataType: 1, floatData: many });
    await refuseIfChanged(read.bytes);
    await utimes(read.path, new Date(), new Date(2001, 1, 1));
    expect((await catchError(() => refuseIfChanged(read.bytes))).code).toBe('model-changed');
    await writeFile(read.path, 'changed');
    expect((await catchError(() => refuseIfChanged(read.bytes))).code).toBe('model-changed');
  });

  it('of 4-bit and unknown types passes through', async () => {
    const int4 = await readOne({ dataType: 22, rawData: new Uint8Array(1500).fill(0x21) });
    const payload = await findPayload(int4.path, initializersOf(int4)[0] ?? {}, 'w');
    expect(payload).toMatchObject({ kind: 'file', sizeBytes: 1500 });
    const packed = await readOne({ dataType: 21, int32Data: many.slice(0, 1500) });
    const decoded = await findPayload(packed.path, initializersOf(packed)[0] ?? {}, 'w');
    expect(decoded && (await readPayload(decoded))).toEqual(Uint8Array.from(many.slice(0, 1500)));
    const strange = await readOne({ dataType: 99, rawData: new Uint8Array(5000) });
    expect(await findPayload(strange.path, initializersOf(strange)[0] ?? {}, 'w')).toBeUndefined();
  });
});

describe('a model with payloads in its file', () => {
  it('keeps the order of what is around them', async () => {
    const initializers = [floats('a', [1], [1]), ramp('b', [600]), floats('c', [1], [2]), ramp('d', [600])];
    const nodes = ['p', 'q', 'r'].map((name) => node('Relu', ['x'], [name]));
    const read = await readTensors(model(graph({ nodes, initializers })));
    expect(initializersOf(read).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    expect(read.model.graph?.node?.map(({ output }) => output?.[0])).toEqual(['p', 'q', 'r']);
  });
});
