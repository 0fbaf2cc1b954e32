// A thread that takes mutants through reading, type planning and writing, and says how far each came.
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { convertModel } from '../../dist/convert/convert-model.js';
import { OptimiseModelError } from '../../dist/messages/error.js';
import { inferModelTypes } from '../../dist/onnx/infer-types.js';
import { readModel } from '../../dist/onnx/read-model.js';
import { bareOptions } from '../conformance/expected-conversion.mjs';
import { makeMutant } from './make-mutant.mjs';

const { seed, folder } = workerData;
// On the way to a thread buffers become plain arrays of bytes.
const models = workerData.models.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) }));
/** What any model may take, however small it is. */
const memoryBaseBytes = 96 << 20;
/** What it may take more by byte of its file. */
const memoryFactor = 256;
const modelIsWrong = 2;

parentPort.on('message', async (index) => {
  parentPort.postMessage(await tryMutant(index));
});

async function tryMutant(index) {
  const mutant = makeMutant(models, seed, index);
  const path = join(folder, 'mutant.onnx');
  const out = join(folder, 'out');
  await writeFile(path, mutant.bytes);
  const before = resetPeak();
  const { reached, error } = await takeThrough(path, out, mutant);
  const grownBytes = peakBytes() - before;
  await rm(out, { recursive: true, force: true });
  await rm(`${out}.onnx`, { force: true });
  const { origin, strategy, job } = mutant;
  const about = { index, origin, strategy, job, reached, code: error?.code ?? null };
  const problem = describeProblem(error) ?? describeMemory(grownBytes, mutant.bytes.length);
  return { ...about, problem };
}

/** `typed`: every value has a type; `written`: a whole model came out. */
async function takeThrough(path, out, { job, bytes }) {
  let reached = 'nothing';
  try {
    const { model } = await readModel(path);
    reached = 'read';
    inferModelTypes(model);
    reached = 'typed';
    const single = job.layout === 'single';
    const target = single ? `${out}.onnx` : out;
    await convertModel({ ...bareOptions, ...job, model: path, out: target });
    reached = 'written';
    if (single) await refuseChanged(job.precision, target, bytes);
    return { reached };
  } catch (error) {
    return { reached, error };
  }
}

/** An FP32 model of one file is the source, byte by byte; everything that is written can be read. */
async function refuseChanged(precision, target, bytes) {
  await readModel(target);
  if (precision !== 'fp32' || bytes.equals(await readFile(target))) return;
  throw new Error('converted to fp32 and one file, it is not what it was');
}

function describeProblem(error) {
  if (error === undefined) return null;
  if (error instanceof OptimiseModelError && error.exitCode === modelIsWrong) return null;
  if (error instanceof OptimiseModelError) return `${error.code} (exit ${error.exitCode}): ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : `thrown: ${String(error)}`;
}

function describeMemory(grownBytes, sizeBytes) {
  if (!(grownBytes > memoryBaseBytes + memoryFactor * sizeBytes)) return null;
  return `it took ${Math.round(grownBytes / 1e6)} MB of memory for ${sizeBytes} bytes`;
}

/** Linux forgets the peak of a process when asked; elsewhere growth beyond the largest so far is seen. */
function resetPeak() {
  if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5');
  return peakBytes();
}

function peakBytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(peak?.[1] ?? 0) * 1024;
}
