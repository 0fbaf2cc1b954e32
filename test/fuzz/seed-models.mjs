// The models that mutants are made of: those of a folder, or a few built here that use most of what a model can hold.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import onnxProto from 'onnx-proto';

const { ModelProto } = onnxProto.onnx;
/** Larger models take too long to mutate ten thousand times. */
const largestBytes = 64 * 1024;

/**
 * Reads the models of a folder, to any depth.
 * @param {string} folder - The folder.
 * @returns {Promise<{ name: string, bytes: Buffer }[]>} Models of up to 64 KiB, sorted by name.
 */
export async function readSeedModels(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.onnx'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  const models = [];
  for (const path of paths) {
    const { size } = await stat(path);
    if (size > 0 && size <= largestBytes)
      models.push({ name: relative(folder, path), bytes: await readFile(path) });
  }
  return models;
}

/**
 * Builds models: weights in every form, control flow with captures, a function, quantisation, other element types.
 * @returns {{ name: string, bytes: Buffer }[]} The models.
 */
export function buildSeedModels() {
  const graphs = { weights, branches, loop, fn, quantised, shapes, types, training };
  return Object.entries(graphs).map(([name, build]) => {
    const model = {
      irVersion: 8,
      producerName: 'fuzz',
      opsetImport: [{ domain: '', version: 17 }],
      ...build(),
    };
    return { name, bytes: Buffer.from(ModelProto.encode(model).finish()) };
  });
}

function value(name, dims = [2, 4], elemType = 1) {
  const dim = dims.map((axis) => (typeof axis === 'string' ? { dimParam: axis } : { dimValue: axis }));
  return { name, type: { tensorType: { elemType, shape: { dim } } } };
}

function floats(name, dims, values) {
  const count = dims.reduce((product, dim) => product * dim, 1);
  const list = Float32Array.from({ length: count }, (_unused, index) => values?.[index] ?? (index - 3) / 7);
  return { name, dims, dataType: 1, rawData: new Uint8Array(list.buffer) };
}

function longs(name, values) {
  return { name, dims: [values.length], dataType: 7, int64Data: values };
}

function node(opType, input, output, attribute = [], more = {}) {
  return { opType, input, output, attribute, ...more };
}

const graphOf = (nodes, rest = {}) => ({
  name: 'g',
  node: nodes,
  input: [value('x')],
  output: [value('y')],
  ...rest,
});

function weights() {
  const typed = { name: 'typed', dims: [4], dataType: 1, floatData: [1, 2, 3, 4] };
  const sparse = { values: floats('sparse', [2]), indices: longs('at', [1, 3]), dims: [4] };
  const nodes = [
    node('MatMul', ['x', 'w'], ['a']),
    node('Constant', [], ['c'], [{ name: 'value', type: 4, t: floats('', [4]) }]),
    node('Constant', [], ['d'], [{ name: 'value_floats', type: 6, floats: [1, 2, 3, 4] }]),
    node('Add', ['a', 'c'], ['b'], [], { name: 'sum', docString: 'adds' }),
    node('Add', ['b', 'd'], ['e']),
    node('Mul', ['e', 'typed'], ['f']),
    node('Add', ['f', 'sparse'], ['h']),
    node('Relu', ['h'], ['y']),
  ];
  const initializer = [floats('w', [4, 4]), typed];
  const valueInfo = [value('a'), value('b')];
  const metadataProps = [{ key: 'made', value: 'here' }];
  return { graph: graphOf(nodes, { initializer, valueInfo, sparseInitializer: [sparse] }), metadataProps };
}

function branches() {
  const branch = (opType) => ({
    name: opType,
    node: [node(opType, ['x', 'w'], [`${opType}_out`])],
    output: [value(`${opType}_out`)],
  });
  const bodies = [
    { name: 'then_branch', type: 5, g: branch('Add') },
    { name: 'else_branch', type: 5, g: branch('Max') },
  ];
  const nodes = [
    node('If', ['c'], ['z'], bodies),
    node('Softmax', ['z'], ['y'], [{ name: 'axis', type: 2, i: -1 }]),
  ];
  const input = [value('x'), value('c', [], 9)];
  return { graph: graphOf(nodes, { input, initializer: [floats('w', [4])] }) };
}

function loop() {
  const body = {
    name: 'body',
    node: [node('Mul', ['carried', 'w'], ['next']), node('Identity', ['going'], ['still'])],
    input: [value('round', [], 7), value('going', [], 9), value('carried')],
    output: [value('still', [], 9), value('next')],
    initializer: [floats('w', [4])],
  };
  const nodes = [node('Loop', ['count', '', 'x'], ['y'], [{ name: 'body', type: 5, g: body }])];
  return {
    graph: graphOf(nodes, { initializer: [{ name: 'count', dims: [], dataType: 7, int64Data: [3] }] }),
  };
}

function fn() {
  const own = {
    name: 'Twice',
    domain: 'local',
    input: ['a'],
    output: ['b'],
    node: [
      node('Constant', [], ['two'], [{ name: 'value_float', type: 1, f: 2 }]),
      node('Mul', ['a', 'two'], ['b']),
    ],
    opsetImport: [{ domain: '', version: 17 }],
  };
  const opsetImport = [
    { domain: '', version: 17 },
    { domain: 'local', version: 1 },
  ];
  return {
    opsetImport,
    functions: [own],
    graph: graphOf([node('Twice', ['x'], ['y'], [], { domain: 'local' })]),
  };
}

function quantised() {
  const nodes = [
    node('QuantizeLinear', ['x', 'scale', 'zero'], ['q']),
    node('DequantizeLinear', ['q', 'scale', 'zero'], ['d']),
    node('Relu', ['d'], ['y']),
  ];
  const initializer = [
    floats('scale', [], [0.05]),
    { name: 'zero', dims: [], dataType: 2, int32Data: [128] },
  ];
  const quantizationAnnotation = [
    { tensorName: 'x', quantParameterTensorNames: [{ key: 'SCALE_TENSOR', value: 'scale' }] },
  ];
  return { graph: graphOf(nodes, { initializer, quantizationAnnotation }) };
}

function shapes() {
  const nodes = [
    node('Shape', ['x'], ['s']),
    node('Cast', ['s'], ['f'], [{ name: 'to', type: 2, i: 1 }]),
    node('Mul', ['f', 'half'], ['g']),
    node('Cast', ['g'], ['i'], [{ name: 'to', type: 2, i: 7 }]),
    node('ConstantOfShape', ['i'], ['z'], [{ name: 'value', type: 4, t: floats('', [1], [2]) }]),
    node('ReduceMean', ['z'], ['m'], [{ name: 'axes', type: 7, ints: [0, 1] }]),
    node('Add', ['x', 'm'], ['y']),
  ];
  return {
    graph: graphOf(nodes, { input: [value('x', ['n', 4])], initializer: [floats('half', [], [0.5])] }),
  };
}

function types() {
  const halves = { name: 'halves', dims: [2], dataType: 10, int32Data: [0x3c00, 0x4000] };
  const texts = { name: 'texts', dims: [2], dataType: 8, stringData: [Buffer.from('a'), Buffer.from('b')] };
  const nibbles = { name: 'nibbles', dims: [3], dataType: 22, rawData: Uint8Array.of(0x21, 0x03) };
  const doubles = { name: 'doubles', dims: [1], dataType: 11, doubleData: [1.5] };
  const empty = floats('empty', [0, 4]);
  const nodes = [
    node('Cast', ['halves'], ['a'], [{ name: 'to', type: 2, i: 1 }]),
    node('Gather', ['table', 'rows'], ['b']),
    node('Concat', ['b', 'empty'], ['c'], [{ name: 'axis', type: 2, i: 0 }]),
    node('Add', ['x', 'c'], ['y']),
    node('SequenceConstruct', ['a', 'a'], ['list']),
  ];
  const initializer = [
    halves,
    texts,
    nibbles,
    doubles,
    empty,
    floats('table', [8, 4]),
    longs('rows', [1, 5]),
  ];
  return { graph: graphOf(nodes, { initializer }) };
}

function training() {
  const algorithm = {
    name: 'step',
    node: [node('Sub', ['w', 'w'], ['w_next'])],
    output: [value('w_next', [4])],
  };
  const trainingInfo = [{ algorithm, updateBinding: [{ key: 'w', value: 'w_next' }] }];
  return {
    graph: graphOf([node('Mul', ['x', 'w'], ['y'])], { initializer: [floats('w', [4])] }),
    trainingInfo,
  };
}
