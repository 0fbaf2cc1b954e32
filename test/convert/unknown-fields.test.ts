import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import { precisions } from '../../src/lib/variant.js';
import { floats, graph, model, node, proto, ramp, value } from '../fixtures/build-model.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { expectClose } from '../fixtures/expect-close.js';
import { bool, bools, noise } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();

/** A field of the wire format that holds bytes. */
function field(number: number, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content as Uint8Array);
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

/** Metadata, and whatever else begins with a name. */
function note(number: number, key: string): Buffer {
  return field(number, proto.StringStringEntryProto.encode({ key }).finish());
}

function varint(number: number): Buffer {
  const bytes: number[] = [];
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) return Buffer.from(bytes);
  }
}

/** Fields that ONNX has got since the schema that onnx-proto knows: metadata, devices, attributes of functions. */
const marks = [
  'of the node',
  'of the body',
  'of the tensor',
  'of the input',
  'of the graph',
  'of the function',
];

function withNewFields(): Buffer {
  const constant = node('Constant', [], ['k'], { value: ramp('', [300]) });
  const then = graph({ nodes: [constant, node('Add', ['m', 'k'], ['t'])], outputs: [value('t', [300])] });
  const other = graph({ nodes: [node('Neg', ['m'], ['e'])], outputs: [value('e', [300])] });
  const mul = proto.NodeProto.encode(node('Mul', ['x', 'w'], ['m'])).finish();
  const choose = proto.NodeProto.encode(node('If', ['c'], ['y'], { else_branch: other })).finish();
  const body = Buffer.concat([proto.GraphProto.encode(then).finish(), note(16, 'of the body')]);
  const attribute = [field(1, 'then_branch'), field(6, body), Buffer.from([0xa0, 0x01, 5])];
  const main = graph({ nodes: [], inputs: [value('c', [], 9)], outputs: [value('y', [300])] });
  const graphBytes = Buffer.concat([
    field(1, Buffer.concat([mul, note(9, 'of the node')])),
    field(1, Buffer.concat([choose, field(5, Buffer.concat(attribute))])),
    proto.GraphProto.encode(main).finish(),
    field(5, Buffer.concat([proto.TensorProto.encode(ramp('w', [300])).finish(), note(16, 'of the tensor')])),
    field(
      11,
      Buffer.concat([proto.ValueInfoProto.encode(value('x', [300])).finish(), note(4, 'of the input')]),
    ),
    note(16, 'of the graph'),
  ]);
  const fn = proto.FunctionProto.encode({ name: 'f', domain: 'd', node: [] }).finish();
  return Buffer.concat([
    proto.ModelProto.encode(model(graph({ nodes: [] }))).finish(),
    field(7, graphBytes),
    field(25, Buffer.concat([fn, note(14, 'of the function')])),
    note(26, 'of the model'),
  ]);
}

describe('fields that onnx-proto does not know', () => {
  it.each(precisions)('stay where they are at every level: %s', async (precision) => {
    const folder = await tempFolder();
    const [source, target] = [join(folder, 'source.onnx'), join(folder, 'target.onnx')];
    await writeFile(source, withNewFields());
    const options = completeOptions({ model: source, out: target, precision, loadCheck: true });
    const { findings, weights, loadCheck } = await convertModel(options);
    expect([findings, weights.storedAsFp16, loadCheck]).toEqual([[], precision === 'fp32' ? 0 : 2, 'opened']);
    const written = await readFile(target);
    for (const mark of [...marks, 'of the model']) expect(written.includes(mark), mark).toBe(true);
    await expectClose({ source, target }, { x: noise([300]), c: bool(true) });
  });

  it('stay with attributes that name or hold a number in another type', async () => {
    const folder = await tempFolder();
    const [source, target] = [join(folder, 'source.onnx'), join(folder, 'target.onnx')];
    const tensor = Buffer.concat([
      proto.TensorProto.encode(floats('', [1], [2.5])).finish(),
      note(16, 'of 2.5'),
    ]);
    const attribute = (
      content: onnx.IAttributeProto,
      mark: string,
      more: Uint8Array = Buffer.alloc(0),
    ): Buffer =>
      field(5, Buffer.concat([proto.AttributeProto.encode(content).finish(), more, note(30, mark)]));
    const made = (content: onnx.INodeProto, own: Buffer): Buffer =>
      field(1, Buffer.concat([proto.NodeProto.encode(content).finish(), own]));
    const nodes = [
      made(node('Constant', [], ['k']), attribute({ name: 'value_float', type: 1, f: 1.5 }, 'of 1.5')),
      made(node('Shape', ['x'], ['n']), Buffer.alloc(0)),
      made(
        node('ConstantOfShape', ['n'], ['z']),
        attribute({ name: 'value', type: 4, docString: 'filler' }, 'of a filler', field(5, tensor)),
      ),
      made(
        node('Cast', ['b'], ['c']),
        attribute({ name: 'to', type: 2, i: 1, docString: 'kind' }, 'of a type'),
      ),
      made(node('Mul', ['c', 'k'], ['m']), Buffer.alloc(0)),
      made(node('Add', ['m', 'z'], ['a']), Buffer.alloc(0)),
      made(node('Add', ['a', 'x'], ['y']), Buffer.alloc(0)),
    ];
    const ends = graph({ nodes: [], inputs: [value('x'), value('b', [2], 9)], outputs: [value('y')] });
    const main = Buffer.concat([...nodes, proto.GraphProto.encode(ends).finish()]);
    const whole = proto.ModelProto.encode({ ...model(graph({ nodes: [] })), graph: null }).finish();
    await writeFile(source, Buffer.concat([whole, field(7, main)]));
    const result = await convertModel(completeOptions({ model: source, out: target, precision: 'fp16' }));
    expect(result.nodes.fp16).toBe(5);
    const written = await readFile(target);
    for (const mark of ['of 1.5', 'of 2.5', 'of a filler', 'filler', 'of a type', 'kind']) {
      expect(written.includes(mark), mark).toBe(true);
    }
    await expectClose({ source, target }, { x: noise([2]), b: bools([2], [true, false]) });
  });
});
