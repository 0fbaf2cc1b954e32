// A model of 10 GB in sparse data files: whether memory depends on the size of a model.
import { mkdir, open, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import { convertCommand } from './convert-subjects.mjs';

const { onnx } = onnxProto;
const side = 16_384;
const tensorBytes = side * side * 4;
/** Two files of five tensors of 1 GiB. */
const files = 2;
const tensorsPerFile = 5;

/**
 * Converts the model once with `fp16-weights --layout external`, which writes 5 GiB, and removes everything.
 * @param {object} setting - `cache` folder, `meter`, `flags` of convert, `log`.
 * @returns {Promise<object>} What it took, or why it was left out.
 */
export async function convertSparseModel({ cache, meter, flags, log }) {
  const sourceSizeBytes = files * tensorsPerFile * tensorBytes;
  const neededBytes = sourceSizeBytes / 2 + (1 << 30);
  const { bavail, bsize } = await statfs(cache);
  if (bavail * bsize < neededBytes) {
    return { leftOut: `${cache} has ${bavail * bsize} bytes free, ${neededBytes} are needed` };
  }
  const folder = join(cache, 'sparse');
  try {
    log('making a sparse model of 10 GiB');
    await writeSparseModel(folder);
    log('converting it: one run');
    const out = join(folder, 'out');
    const command = convertCommand(join(folder, 'model.onnx'), {
      ...{ precision: 'fp16-weights', layout: 'external', out, flags },
    });
    const { stdout: _unused, stderr, exitCode, ...sample } = await meter.measure({ command });
    if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}:\n${stderr}`);
    const sizeBytes = (await stat(join(out, 'model.onnx.data'))).size;
    return { sourceSizeBytes, sizeBytes, ...sample };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeSparseModel(folder) {
  await mkdir(folder, { recursive: true });
  const names = Array.from({ length: files }, (_unused, index) => `weights-${index}.bin`);
  for (const name of names) {
    const file = await open(join(folder, name), 'w');
    await file.truncate(tensorsPerFile * tensorBytes);
    // Different tensors: the converter stores equal ones once.
    for (let index = 0; index < tensorsPerFile; index += 1) {
      const mark = Float32Array.of(names.indexOf(name) * tensorsPerFile + index + 1);
      await file.write(new Uint8Array(mark.buffer), 0, 4, index * tensorBytes);
    }
    await file.close();
  }
  const tensors = names.flatMap((location, index) => describeTensors(location, index * tensorsPerFile));
  const nodes = tensors.map(({ name }, index) => ({
    opType: 'MatMul',
    input: [index === 0 ? 'x' : `value_${index - 1}`, name],
    output: [index === tensors.length - 1 ? 'y' : `value_${index}`],
  }));
  const graph = {
    name: 'sparse',
    node: nodes,
    initializer: tensors,
    input: [declare('x')],
    output: [declare('y')],
  };
  const model = { irVersion: 8, opsetImport: [{ domain: '', version: 17 }], graph };
  await writeFile(join(folder, 'model.onnx'), onnx.ModelProto.encode(model).finish());
}

function describeTensors(location, first) {
  return Array.from({ length: tensorsPerFile }, (_unused, index) => ({
    name: `weight_${first + index}`,
    dims: [side, side],
    dataType: 1,
    dataLocation: 1,
    externalData: Object.entries({ location, offset: index * tensorBytes, length: tensorBytes }).map(
      ([key, value]) => ({
        key,
        value: String(value),
      }),
    ),
  }));
}

function declare(name) {
  const dim = [{ dimValue: 1 }, { dimValue: side }];
  return { name, type: { tensorType: { elemType: 1, shape: { dim } } } };
}
