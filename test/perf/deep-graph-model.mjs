// Deep graphs of small nodes: what a converter costs by node rather than by byte.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import onnxProto from 'onnx-proto';
import { openStream } from '../../dist/inputs/seeded-stream.js';

const { onnx } = onnxProto;
/** A weight of 16 × 16 is 1 KiB: the smallest that `convert` stores as FP16 by default. */
const width = 16;

/** One block: a gated layer with a residual connection, as `[operator, inputs, output]`; `<` is the block before. */
const block = [
  ['MatMul', ['<', '*weight'], 'product'],
  ['Add', ['product', '*bias'], 'linear'],
  ['Relu', ['linear'], 'active'],
  ['MatMul', ['active', '*weight'], 'gate_product'],
  ['Sigmoid', ['gate_product'], 'gate'],
  ['Mul', ['active', 'gate'], 'gated'],
  ['Reshape', ['gated', 'column'], 'turned'],
  ['Tanh', ['turned'], 'bounded'],
  ['Reshape', ['bounded', 'row'], 'back'],
  ['Add', ['<', 'back'], 'output'],
];

/**
 * Writes a graph of that many nodes in a chain of blocks; every other block has names for its nodes.
 *
 * `clamped` graphs bound a value by Max in place of Tanh. onnxruntime's converter keeps Max, with 20-odd other operators,
 * in FP32 and looks through all values of the graph for each such node.
 *
 * @param {string} path - The `.onnx` file.
 * @param {number} nodeCount - A multiple of 10.
 * @param {'clamped' | 'plain'} kind - Whether a tenth of the nodes is of the kind that onnxruntime keeps in FP32.
 */
export async function writeDeepGraph(path, nodeCount, kind) {
  const stream = openStream(1, 'deep');
  const lowest = {
    name: 'lowest',
    dims: [],
    dataType: 1,
    rawData: new Uint8Array(Float32Array.of(-1).buffer),
  };
  const fixed = [longs('row', [1, width]), longs('column', [width, 1]), lowest];
  const parts = { kind, stream, nodes: [], tensors: fixed };
  let previous = 'x';
  for (let index = 0; index < nodeCount / block.length; index += 1)
    previous = addBlock(parts, index, previous);
  parts.nodes.at(-1).output = ['y'];
  const graph = {
    name: 'deep',
    node: parts.nodes,
    initializer: parts.tensors,
    input: [declare('x')],
    output: [declare('y')],
  };
  const model = {
    irVersion: 8,
    producerName: 'bench-convert',
    opsetImport: [{ domain: '', version: 17 }],
    graph,
  };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, onnx.ModelProto.encode(model).finish());
}

function addBlock(parts, index, previous) {
  const own = (name) => `block_${index}/${name}`;
  const produced = new Set(block.map(([, , output]) => output));
  for (const [position, [usualType, usualInputs, output]] of block.entries()) {
    const isClamp = usualType === 'Tanh' && parts.kind === 'clamped';
    const [opType, inputs] = isClamp ? ['Max', [...usualInputs, 'lowest']] : [usualType, usualInputs];
    const input = inputs.map((name) => {
      if (name === '<') return previous;
      if (name.startsWith('*')) return addWeight(parts, own(`${name.slice(1)}_${position}`));
      return produced.has(name) ? own(name) : name;
    });
    const name = index % 2 === 0 ? own(`${opType}_${position}`) : '';
    parts.nodes.push({ opType, input, output: [own(output)], ...(name === '' ? {} : { name }) });
  }
  return own('output');
}

function addWeight({ stream, tensors }, name) {
  const dims = name.includes('bias') ? [width] : [width, width];
  const count = dims.reduce((product, dim) => product * dim, 1);
  const rawData = new Uint8Array(Float32Array.from({ length: count }, () => 0.1 * stream.normal()).buffer);
  tensors.push({ name, dims, dataType: 1, rawData });
  return name;
}

function longs(name, values) {
  const rawData = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
  return { name, dims: [values.length], dataType: 7, rawData };
}

function declare(name) {
  const dim = [{ dimValue: 1 }, { dimValue: width }];
  return { name, type: { tensorType: { elemType: 1, shape: { dim } } } };
}
