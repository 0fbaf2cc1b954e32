// The model of the seed study, built in code: ViT-B/8 at 224 × 224 as PyTorch exports it, with seeded weights.
import { openStream } from '../../dist/inputs/seeded-stream.js';
import { writeStreamedModel } from './stream-model.mjs';

const width = 768;
const heads = 12;
const blocks = 12;
const patches = 28 * 28;
const hidden = 4 * width;
const tokens = patches + 1;
/** Deviation of the weights, as ViTs are initialised and about what they are after training. */
const deviation = 0.02;

/**
 * Writes the model: 86 million parameters, 343 MB, opset 16, LayerNorm and Gelu decomposed, the class token as output.
 * @param {string} path - The `.onnx` file.
 * @returns {Promise<number>} Size of the file, bytes.
 */
export function writeVit(path) {
  const parts = makeParts();
  let state = embed(parts);
  for (let block = 0; block < blocks; block += 1) state = addBlock(parts, state, `blocks.${block}`);
  const normed = addLayerNorm(parts, state, 'norm');
  add(parts, 'Gather', [normed, constant(parts, 'first', 7, [], [0])], 'features', [
    { name: 'axis', type: 2, i: 1 },
  ]);
  const { nodes, tensors, small } = parts;
  const graph = {
    name: 'vit_base_patch8_224',
    node: nodes,
    initializer: small,
    input: [declare('image', [1, 3, 224, 224])],
    output: [declare('features', [1, width])],
  };
  const model = { irVersion: 8, producerName: 'bench-convert', opsetImport: [{ domain: '', version: 16 }] };
  return writeStreamedModel(path, { model, graph, tensors });
}

function makeParts() {
  return { nodes: [], tensors: [], small: [], stream: openStream(8, 'vit') };
}

function declare(name, dims) {
  const dim = dims.map((dimValue) => ({ dimValue }));
  return { name, type: { tensorType: { elemType: 1, shape: { dim } } } };
}

function add(parts, opType, input, output, attribute = []) {
  parts.nodes.push({ opType, name: `/${opType}_${parts.nodes.length}`, input, output: [output], attribute });
  return output;
}

/** A weight; `mean` is 1 for the scales of norms. */
function weight(parts, name, dims, mean = 0) {
  const { stream, tensors } = parts;
  tensors.push({ name, dims, fill: () => mean + deviation * stream.normal() });
  return name;
}

function constant(parts, name, dataType, dims, values) {
  const Elements = dataType === 1 ? Float32Array : BigInt64Array;
  const rawData = new Uint8Array(Elements.from(values, dataType === 1 ? Number : BigInt).buffer);
  if (!parts.small.some((tensor) => tensor.name === name))
    parts.small.push({ name, dims, dataType, rawData });
  return name;
}

function ints(name, values) {
  return { name, type: 7, ints: values };
}

function reshape(parts, input, output, dims) {
  const shape = constant(parts, `shape_${dims.join('_')}`, 7, [dims.length], dims);
  return add(parts, 'Reshape', [input, shape], output);
}

function embed(parts) {
  const kernel = weight(parts, 'patch_embed.weight', [width, 3, 8, 8]);
  const bias = weight(parts, 'patch_embed.bias', [width]);
  const strides = [ints('kernel_shape', [8, 8]), ints('strides', [8, 8])];
  const grid = add(parts, 'Conv', ['image', kernel, bias], 'patches', strides);
  const flat = reshape(parts, grid, 'patches_flat', [1, width, patches]);
  const rows = add(parts, 'Transpose', [flat], 'patches_rows', [ints('perm', [0, 2, 1])]);
  const token = weight(parts, 'cls_token', [1, 1, width]);
  const all = add(parts, 'Concat', [token, rows], 'tokens', [{ name: 'axis', type: 2, i: 1 }]);
  return add(parts, 'Add', [all, weight(parts, 'pos_embed', [1, tokens, width])], 'embedded');
}

function addLayerNorm(parts, input, name) {
  const axes = [ints('axes', [-1])];
  const mean = add(parts, 'ReduceMean', [input], `${name}/mean`, axes);
  const centred = add(parts, 'Sub', [input, mean], `${name}/centred`);
  const square = add(parts, 'Pow', [centred, constant(parts, 'two', 1, [], [2])], `${name}/square`);
  const variance = add(parts, 'ReduceMean', [square], `${name}/variance`, axes);
  const safe = add(parts, 'Add', [variance, constant(parts, 'epsilon', 1, [], [1e-6])], `${name}/safe`);
  const root = add(parts, 'Sqrt', [safe], `${name}/root`);
  const unit = add(parts, 'Div', [centred, root], `${name}/unit`);
  const scaled = add(parts, 'Mul', [unit, weight(parts, `${name}.weight`, [width], 1)], `${name}/scaled`);
  return add(parts, 'Add', [scaled, weight(parts, `${name}.bias`, [width])], `${name}/output`);
}

function addLinear(parts, input, name, from, to) {
  const product = add(
    parts,
    'MatMul',
    [input, weight(parts, `${name}.weight`, [from, to])],
    `${name}/product`,
  );
  return add(parts, 'Add', [weight(parts, `${name}.bias`, [to]), product], `${name}/output`);
}

function addAttention(parts, input, name) {
  const size = width / heads;
  const qkv = addLinear(parts, input, `${name}.qkv`, width, 3 * width);
  const split = reshape(parts, qkv, `${name}/split`, [1, tokens, 3, heads, size]);
  const turned = add(parts, 'Transpose', [split], `${name}/turned`, [ints('perm', [2, 0, 3, 1, 4])]);
  const [query, key, values] = ['query', 'key', 'values'].map((role, index) =>
    add(parts, 'Gather', [turned, constant(parts, `index_${index}`, 7, [], [index])], `${name}/${role}`, [
      { name: 'axis', type: 2, i: 0 },
    ]),
  );
  const scale = constant(parts, 'attention_scale', 1, [], [size ** -0.5]);
  const scaled = add(parts, 'Mul', [query, scale], `${name}/scaled`);
  const keyTurned = add(parts, 'Transpose', [key], `${name}/key_turned`, [ints('perm', [0, 1, 3, 2])]);
  const scores = add(parts, 'MatMul', [scaled, keyTurned], `${name}/scores`);
  const softmax = add(parts, 'Softmax', [scores], `${name}/softmax`, [{ name: 'axis', type: 2, i: -1 }]);
  const mixed = add(parts, 'MatMul', [softmax, values], `${name}/mixed`);
  const back = add(parts, 'Transpose', [mixed], `${name}/back`, [ints('perm', [0, 2, 1, 3])]);
  return addLinear(
    parts,
    reshape(parts, back, `${name}/joined`, [1, tokens, width]),
    `${name}.proj`,
    width,
    width,
  );
}

function addGelu(parts, input, name) {
  const divided = add(
    parts,
    'Div',
    [input, constant(parts, 'root_two', 1, [], [Math.SQRT2])],
    `${name}/divided`,
  );
  const erf = add(parts, 'Erf', [divided], `${name}/erf`);
  const raised = add(parts, 'Add', [erf, constant(parts, 'one', 1, [], [1])], `${name}/raised`);
  const gated = add(parts, 'Mul', [input, raised], `${name}/gated`);
  return add(parts, 'Mul', [gated, constant(parts, 'half', 1, [], [0.5])], `${name}/output`);
}

function addBlock(parts, input, name) {
  const attended = addAttention(parts, addLayerNorm(parts, input, `${name}.norm1`), `${name}.attn`);
  const middle = add(parts, 'Add', [input, attended], `${name}/middle`);
  const normed = addLayerNorm(parts, middle, `${name}.norm2`);
  const wide = addGelu(parts, addLinear(parts, normed, `${name}.mlp.fc1`, width, hidden), `${name}.mlp.act`);
  const narrow = addLinear(parts, wide, `${name}.mlp.fc2`, hidden, width);
  return add(parts, 'Add', [middle, narrow], `${name}/output`);
}
