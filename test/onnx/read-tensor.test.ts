import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTensor, readTensorFile } from '../../src/onnx/read-tensor.js';
import { findPayload } from '../../src/onnx/tensor-payload.js';
import { floats, proto } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();

describe('readTensor', () => {
  it.each([
    ['float16 in int32_data', { dataType: 10, int32Data: [15872, 49152] }, [15872, 49152]],
    ['bfloat16 in raw_data', { dataType: 16, rawData: Uint8Array.of(0x80, 0x3e, 0, 0x40) }, [16000, 16384]],
    ['bfloat16 in int32_data', { dataType: 16, int32Data: [16000, 16384] }, [16000, 16384]],
    ['float in float_data', { dataType: 1, floatData: [1.5, -2] }, [1.5, -2]],
    ['double in double_data', { dataType: 11, doubleData: [1.5, -2] }, [1.5, -2]],
    ['int64 in int64_data', { dataType: 7, int64Data: [-1, 5] }, [-1n, 5n]],
    ['uint64 in uint64_data', { dataType: 13, uint64Data: [1, 5] }, [1n, 5n]],
    ['uint32 in uint64_data', { dataType: 12, uint64Data: [4294967295, 5] }, [4294967295, 5]],
    ['int8 in int32_data', { dataType: 3, int32Data: [-1, 5] }, [-1, 5]],
    ['int16 in int32_data', { dataType: 5, int32Data: [-300, 5] }, [-300, 5]],
    ['bool in int32_data', { dataType: 9, int32Data: [1, 0] }, [1, 0]],
    ['string', { dataType: 8, stringData: [Buffer.from('ü'), Buffer.from('')] }, ['ü', '']],
  ])('reads %s', async (_name, fields, expected) => {
    const bytes = proto.TensorProto.encode({ name: 't', dims: [2], ...fields }).finish();
    const tensor = await readTensor('m.onnx', proto.TensorProto.decode(bytes), 't');
    expect(tensor.dims).toEqual([2]);
    expect(Array.from(tensor.data as Iterable<unknown>)).toEqual(expected);
  });

  it('reads a scalar and an empty tensor', async () => {
    expect((await readTensor('m', floats('s', [], [3]), 's')).data).toEqual(Float32Array.of(3));
    expect((await readTensor('m', { name: 'r', dims: [0], dataType: 1 }, 'r')).data).toHaveLength(0);
  });

  it('counts two elements of 4 bits per byte', async () => {
    const int4 = { name: 'w', dims: [3], dataType: 22, rawData: Uint8Array.of(0x21, 3) };
    expect((await findPayload('m', int4, 'w'))?.sizeBytes).toBe(2);
  });

  it.each([
    [
      'too short',
      { dims: [4], dataType: 1, rawData: new Uint8Array(8) },
      'needs 16 bytes, 8 bytes are there',
    ],
    ['without bytes', { dims: [4], dataType: 1 }, 'needs 16 bytes, 0 bytes are there'],
    ['stored twice', { dims: [1], dataType: 1, rawData: new Uint8Array(4), floatData: [1] }, 'stored twice'],
    ['of negative size', { dims: [-1], dataType: 1 }, 'its dims are [-1]'],
  ])('refuses a tensor %s', async (_name, tensor, reason) => {
    const error = await catchError(() => readTensor('m', tensor, 'w'));
    expect(error.code).toBe('tensor-wrong');
    expect(error.facts.tensor).toBe('w');
    expect(error.facts.reason).toContain(reason);
  });
});

describe('readTensorFile', () => {
  it('reads a test data file', async () => {
    const path = join(await tempFolder(), 'input_0.pb');
    await writeFile(path, proto.TensorProto.encode(floats('x', [2], [1, 2])).finish());
    expect(await readTensorFile(path)).toEqual({ type: 'float32', dims: [2], data: Float32Array.of(1, 2) });
  });

  it('refuses what is no tensor', async () => {
    const path = join(await tempFolder(), 'input_0.pb');
    expect((await catchError(() => readTensorFile(path))).code).toBe('tensor-file-wrong');
    for (const content of ['', 'just text', '\u0000\u0001\u0002']) {
      await writeFile(path, content);
      expect((await catchError(() => readTensorFile(path))).code).toBe('tensor-file-wrong');
    }
  });
});
