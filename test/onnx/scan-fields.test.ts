import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowOver } from '../../src/onnx/byte-window.js';
import { fitsField } from '../../src/onnx/fits-field.js';
import { knownFields, type MessageKind } from '../../src/onnx/known-fields.js';
import { codecOf } from '../../src/onnx/proto.js';
import { readSource } from '../../src/onnx/read-source.js';
import { type FieldScan, scanFields } from '../../src/onnx/scan-fields.js';
import { readField } from '../../src/onnx/wire-reader.js';
import { encode, graph, longs, model, node, proto, ramp, value } from '../fixtures/build-model.js';
import { withPayloadsEverywhere } from '../fixtures/model-with-payloads.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();

/** A field that no message has: number 1999, a varint. */
const strange = Uint8Array.of(0xf8, 0x7c, 1);

function scanAll(bytes: Uint8Array): FieldScan {
  return scanFields(windowOver(bytes), bytes.length, 'ModelProto', 1024);
}

function append(bytes: Uint8Array, more: Uint8Array): Uint8Array {
  return Uint8Array.from([...bytes, ...more]);
}

function lengthDelimited(field: number, content: Uint8Array): Uint8Array {
  return proto.ModelProto.encode({})
    .uint32((field << 3) | 2)
    .bytes(content)
    .finish();
}

describe('scanFields', () => {
  it('finds unknown fields at every level and counts them', () => {
    const odd = append(proto.NodeProto.encode(node('Relu', ['x'], ['y'])).finish(), strange);
    const plain = proto.GraphProto.encode(graph({ nodes: [] })).finish();
    const main = append(append(append(plain, lengthDelimited(1, odd)), lengthDelimited(1, odd)), strange);
    const bytes = append(lengthDelimited(7, main), strange);
    expect(scanAll(bytes).unknownFields).toEqual([
      { path: 'ModelProto/GraphProto/NodeProto', field: 1999, count: 2 },
      { path: 'ModelProto/GraphProto', field: 1999, count: 1 },
      { path: 'ModelProto', field: 1999, count: 1 },
    ]);
  });

  it('knows every field that onnx-proto writes', () => {
    const body = graph({ nodes: [node('Identity', ['x'], ['z'])], outputs: [value('z')] });
    const content = model(
      graph({
        nodes: [
          node('If', ['c'], ['y'], {
            then_branch: body,
            else_branch: body,
            number: 1.5,
            list: [1, 2],
            text: 'a',
          }),
        ],
        inputs: [value('x', ['n', 3])],
        initializers: [ramp('w', [4]), longs('i', [2], [1, -1])],
        valueInfo: [value('v')],
      }),
      {
        functions: [
          { name: 'f', domain: 'd', input: ['a'], output: ['b'], node: [node('Relu', ['a'], ['b'])] },
        ],
      },
    );
    const scan = scanAll(encode(content));
    expect(scan.problem).toBeUndefined();
    expect(scan.unknownFields).toEqual([]);
  });

  it('never throws and never reads past the end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const { problem } = scanAll(bytes);
        if (problem !== undefined && problem !== 'too-deep') {
          expect(problem.offset).toBeLessThanOrEqual(bytes.length);
        }
      }),
    );
  });

  it('takes no known field of the wrong kind for a field', () => {
    expect(scanAll(Uint8Array.of(0x3d, 1, 2, 3, 4)).problem).toMatchObject({
      problem: 'garbage',
    });
  });

  it.each([
    ['a packed varint that is cut off', [0x3a, 5, 0x2a, 3, 0x0a, 1, 0x80]],
    ['a packed varint of 11 bytes', [0x3a, 17, 0x2a, 15, 0x0a, 13, 1, ...Array(11).fill(0x80), 1]],
    ['packed floats of 3 bytes', [0x3a, 7, 0x2a, 5, 0x22, 3, 1, 2, 3]],
    ['packed doubles of 4 bytes', [0x3a, 8, 0x2a, 6, 0x52, 4, 1, 2, 3, 4]],
    ['a length of 6 bytes', [0x3a, 0x80, 0x80, 0x80, 0x80, 0x80, 0]],
    ['an enum of 7 bytes', [0x3a, 10, 0x2a, 8, 0x10, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0]],
    ['an int32 among packed ones of 6 bytes', [0x3a, 10, 0x2a, 8, 0x2a, 6, 0x81, 0x80, 0x80, 0x80, 0x80, 0]],
  ])('refuses %s, which the decoder would misread', (_name, bytes) => {
    expect(scanAll(Uint8Array.from(bytes)).problem).toMatchObject({ problem: 'garbage' });
  });

  it('takes tags and lengths that are longer than they need be', () => {
    const bytes = Uint8Array.of(0xba, 0x80, 0, 0x85, 0x80, 0, 0x12, 0x82, 0, 0x67, 0x67);
    expect(scanAll(bytes)).toMatchObject({ problem: undefined, goodFields: 1 });
  });
});

describe('the table of known fields', () => {
  const samples = {
    int32: 1,
    int64: 1,
    uint64: 1,
    float: 1,
    double: 1,
    string: 'a',
    bytes: Uint8Array.of(1),
  };

  it.each(Object.keys(knownFields) as MessageKind[])('has the fields of %s as they are decoded', (kind) => {
    for (const [number, field] of Object.entries(knownFields[kind])) {
      const { name } = field;
      const sample = field.isMessage ? {} : samples[field.kind];
      const bytes = codecOf[kind].encode({ [name]: field.isList ? [sample] : sample }).finish();
      const wire = readField(windowOver(bytes), 0, bytes.length);
      expect(wire).toMatchObject({ number: Number(number) });
      expect('problem' in wire || fitsField(windowOver(bytes), field, wire, false)).toBe(true);
      expect(Object.hasOwn(codecOf[kind].decode(bytes), name)).toBe(true);
    }
    const known = Object.values(knownFields[kind]).map(({ name }) => name);
    const prototype: object = Object.getPrototypeOf(codecOf[kind].decode(new Uint8Array(0)));
    const fields = Object.entries(Object.getOwnPropertyDescriptors(prototype))
      .filter(([, { value: held }]) => held !== undefined && typeof held !== 'function')
      .map(([name]) => name);
    expect(fields.sort()).toEqual(known.sort());
  });
});

describe('a window over a file', () => {
  it('finds in small reads what all bytes at once give', async () => {
    const path = join(await tempFolder(), 'm.onnx');
    const bytes = encode(withPayloadsEverywhere());
    await writeFile(path, bytes);
    const { scan, bytes: source } = readSource(path);
    expect(scan).toEqual(scanAll(bytes));
    expect(scan.holes).toHaveLength(11);
    for (const { start, bytes: run } of source.runs) {
      expect(Buffer.compare(run, bytes.subarray(start, start + run.length))).toBe(0);
    }
    const known = source.runs.reduce((sum, run) => sum + run.bytes.length, 0);
    expect(known + scan.holes.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(bytes.length);
  });
});
