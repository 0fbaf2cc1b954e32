// A tiny model whose first inference takes as long as wanted: one weight, multiplied again and again.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import onnxProto from 'onnx-proto';

const { onnx } = onnxProto;
const width = 256;
const program = new URL('../../dist/bin.js', import.meta.url).pathname;

/**
 * Writes such a model and converts it into an artifact.
 * @param {string} folder - Where the artifact goes.
 * @param {number} multiplications - Nodes, ≥ 1; each multiplies 256 × 256 by 256 × 256.
 * @returns {Promise<{ digest: string, sizeBytes: number, expandedSizeBytes: number }>} What a benchmark wants to know.
 */
export async function writeChainArtifact(folder, multiplications) {
  const path = `${folder}.onnx`;
  await mkdir(dirname(folder), { recursive: true });
  await writeFile(path, onnx.ModelProto.encode(describeChain(multiplications)).finish());
  await promisify(execFile)(process.execPath, [
    program,
    'convert',
    path,
    '--precision',
    'fp32',
    '--out',
    folder,
  ]);
  return JSON.parse(await readFile(`${folder}/artifact.json`, 'utf8'));
}

/** What it is fed. */
export const chainFeeds = {
  x: { type: 'float32', dims: [width, width], data: new Float32Array(width * width).fill(1) },
};

function describeChain(multiplications) {
  const node = Array.from({ length: multiplications }, (_, index) => ({
    opType: 'MatMul',
    input: [index === 0 ? 'x' : `product_${index}`, 'weight'],
    output: [index === multiplications - 1 ? 'y' : `product_${index + 1}`],
  }));
  const weight = new Float32Array(width * width).fill(1 / width);
  const initializer = [
    { name: 'weight', dims: [width, width], dataType: 1, rawData: new Uint8Array(weight.buffer) },
  ];
  return {
    irVersion: 8,
    producerName: 'study',
    opsetImport: [{ domain: '', version: 17 }],
    graph: { name: 'chain', node, initializer, input: [declare('x')], output: [declare('y')] },
  };
}

function declare(name) {
  const dim = [{ dimValue: width }, { dimValue: width }];
  return { name, type: { tensorType: { elemType: 1, shape: { dim } } } };
}
