// How fast FP32 numbers are rounded to FP16, on one core: the kernel, its scalar twin, and a Cast node in onnxruntime.
// The first two count what became of the numbers as they go. `npm run bench:half`
import { markdownTable } from 'markdown-table';
import onnxProto from 'onnx-proto';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeHalf } from '../../dist/half/encode-half.js';
import { openHalfKernel } from '../../dist/half/half-kernel.js';
import { median } from './sample-statistics.mjs';

const elements = 1 << 20;
const repeats = 16;
const rounds = 5;

const weights = Float32Array.from({ length: elements }, (_unused, index) => drawWeight(index));
const subjects = [openKernel(), openTwin(), await openCast()];
for (const subject of subjects) subject.samples = [];
// The first round warms up: the compilers' optimised code is in place after it.
for (let round = 0; round <= rounds; round += 1) {
  for (const { run, samples } of subjects) {
    const started = process.hrtime.bigint();
    for (let repeat = 0; repeat < repeats; repeat += 1) await run();
    const durationNs = Number(process.hrtime.bigint() - started);
    if (round > 0) samples.push((elements * repeats) / durationNs);
  }
}
const rows = subjects.map(({ name, samples }) => [
  name,
  median(samples).toFixed(2),
  `${Math.min(...samples).toFixed(2)}–${Math.max(...samples).toFixed(2)}`,
]);
const head = [`FP32 → FP16, ${elements} numbers`, 'Gelem/s, median', 'min–max'];
process.stdout.write(`${markdownTable([head, ...rows], { align: ['l', 'r', 'r'] })}\n`);

/** Numbers as a trained layer has them: normal, most of them some hundredths. */
function drawWeight(index) {
  const uniform = (salt) => ((Math.imul(index + salt, 0x9e37_79b1) >>> 0) + 0.5) / 2 ** 32;
  return 0.04 * Math.sqrt(-2 * Math.log(uniform(1))) * Math.cos(2 * Math.PI * uniform(77_777));
}

/** The numbers are where reading a file would have put them. */
function openKernel() {
  const kernel = openHalfKernel({ pieceElements: elements, pairs: 1 });
  kernel.pairs[0].floats.set(new Uint8Array(weights.buffer));
  return { name: 'kernel, WebAssembly SIMD, with statistics', run: () => kernel.encode(0, elements) };
}

function openTwin() {
  const halves = new Uint16Array(elements);
  return { name: 'scalar twin, with statistics', run: () => encodeHalf(weights, halves) };
}

async function openCast() {
  const { ModelProto } = onnxProto.onnx;
  const value = (name, elemType) => ({
    name,
    type: { tensorType: { elemType, shape: { dim: [{ dimValue: elements }] } } },
  });
  const model = ModelProto.encode({
    irVersion: 8,
    opsetImport: [{ domain: '', version: 17 }],
    graph: {
      name: 'cast',
      node: [{ opType: 'Cast', input: ['x'], output: ['y'], attribute: [{ name: 'to', i: 10, type: 2 }] }],
      input: [value('x', 1)],
      output: [value('y', 10)],
    },
  }).finish();
  const session = await InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const x = new Tensor('float32', weights, [elements]);
  return { name: 'onnxruntime-node, one Cast node, one thread', run: () => session.run({ x }) };
}
