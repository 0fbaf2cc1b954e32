// Writes models whose weights are larger than memory should be: the payloads are made and written block by block.
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import onnxProto from 'onnx-proto';

const { onnx } = onnxProto;
const blockElements = 1 << 16;

/** Field numbers of the records that are written by hand, all length-delimited. */
const fields = { modelGraph: 7, graphInitializer: 5, tensorRawData: 9 };

/**
 * A tensor that is not in memory: `fill` gives the next element each time it is called.
 * @typedef {{ name: string, dims: number[], fill: () => number }} StreamedTensor
 */

/**
 * Writes a model of nodes in memory and FP32 initializers that never are, beside its path and renamed.
 * @param {string} path - The `.onnx` file; its folder is made if missing.
 * @param {{ model: object, graph: object, tensors: readonly StreamedTensor[] }} parts - Everything of the model but its
 *   graph, everything of the graph but its initializers, and those.
 * @returns {Promise<number>} Size of the file, bytes.
 */
export async function writeStreamedModel(path, { model, graph, tensors }) {
  const graphBytes = onnx.GraphProto.encode(graph).finish();
  const headers = tensors.map(tensorHeader);
  const graphSize = headers.reduce(
    (sum, header, index) => sum + header.length + rawBytes(tensors[index]),
    graphBytes.length,
  );
  await mkdir(dirname(path), { recursive: true });
  const file = await open(`${path}.part`, 'w');
  try {
    await file.write(onnx.ModelProto.encode(model).finish());
    await file.write(Buffer.concat([recordStart(fields.modelGraph, graphSize), graphBytes]));
    for (const [index, tensor] of tensors.entries()) {
      await file.write(headers[index]);
      await writeElements(file, tensor);
    }
    await file.sync();
    const { size } = await file.stat();
    await rename(`${path}.part`, path);
    return size;
  } finally {
    await file.close();
  }
}

/** Everything of an initializer's record that comes before the elements. */
function tensorHeader({ name, dims, ...rest }) {
  const fixed = onnx.TensorProto.encode({ name, dims, dataType: 1 }).finish();
  const elements = rawBytes({ dims, ...rest });
  const raw = recordStart(fields.tensorRawData, elements);
  const record = recordStart(fields.graphInitializer, fixed.length + raw.length + elements);
  return Buffer.concat([record, fixed, raw]);
}

function rawBytes({ dims }) {
  return dims.reduce((product, dim) => product * dim, 4);
}

function recordStart(field, sizeBytes) {
  return Buffer.from([...varint(field * 8 + 2), ...varint(sizeBytes)]);
}

function varint(value) {
  const bytes = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

async function writeElements(file, { dims, fill }) {
  const block = new Float32Array(blockElements);
  let left = rawBytes({ dims }) / 4;
  while (left > 0) {
    const count = Math.min(left, blockElements);
    for (let index = 0; index < count; index += 1) block[index] = fill();
    await file.write(new Uint8Array(block.buffer, 0, count * 4));
    left -= count;
  }
}
