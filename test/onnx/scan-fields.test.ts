import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanFields } from '../../src/onnx/scan-fields.js';
import { encode, graph, longs, model, node, proto, ramp, value } from '../fixtures/build-model.js';

/** A field that no message has: number 1999, a varint. */
const strange = Uint8Array.of(0xf8, 0x7c, 1);

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
    expect(scanFields(bytes, 'ModelProto').unknownFields).toEqual([
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
    const scan = scanFields(encode(content), 'ModelProto');
    expect(scan.problem).toBeUndefined();
    expect(scan.unknownFields).toEqual([]);
  });

  it('never throws and never reads past the end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const { problem } = scanFields(bytes, 'ModelProto');
        if (problem !== undefined && problem !== 'too-deep') {
          expect(problem.offset).toBeLessThanOrEqual(bytes.length);
        }
      }),
    );
  });

  it('takes no known field of the wrong kind for a field', () => {
    expect(scanFields(Uint8Array.of(0x3d, 1, 2, 3, 4), 'ModelProto').problem).toMatchObject({
      problem: 'garbage',
    });
  });
});
