// Takes mutants through the command line, as processes.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectPath } from '../perf/convert-subjects.mjs';
import { makeMutant } from './make-mutant.mjs';

const limitMs = 20_000;
/** What a process may take more than it does for a good model, and more by byte of the file. */
const memoryBaseBytes = 128 << 20;
const memoryFactor = 256;
const rightExits = [0, 1, 2, 3, 4];
const stackLine = /^\s+at .*:\d+:\d+\)?$/m;

/**
 * Runs `convert` and `inspect` on mutants.
 * @param {readonly number[]} indexes - Which mutants of the seed.
 * @param {{ models: object[], seed: number, folder: string, meter: object, onDone: (outcome: object) => void }} setting -
 *   What mutants are made of, where they are written, how processes are measured, and who hears of each.
 */
export async function fuzzCommands(indexes, { models, seed, folder, meter, onDone }) {
  await mkdir(folder, { recursive: true });
  const usual = await findUsualPeak(models[0], folder, meter);
  for (const [turn, index] of indexes.entries()) {
    const mutant = makeMutant(models, seed, index);
    const path = join(folder, 'mutant.onnx');
    await writeFile(path, mutant.bytes);
    const { args, isJson } = argumentsFor(turn, mutant, path, folder);
    const taken = await runTool(meter, args);
    const problem = findProblem(taken, isJson, mutant.bytes.length, usual);
    onDone({
      index,
      origin: mutant.origin,
      strategy: mutant.strategy,
      args,
      exitCode: taken.exitCode,
      problem,
    });
    await rm(join(folder, 'out'), { recursive: true, force: true });
    await rm(join(folder, 'out.onnx'), { force: true });
  }
}

function runTool(meter, args) {
  return meter.measure({ command: [process.execPath, projectPath('dist/bin.js'), ...args], limitMs });
}

async function findUsualPeak(model, folder, meter) {
  const path = join(folder, 'good.onnx');
  await writeFile(path, model.bytes);
  const args = ['convert', path, '--precision', 'fp16', '--out', join(folder, 'out.onnx')];
  const { peakBytes } = await runTool(meter, args);
  await rm(join(folder, 'out.onnx'), { force: true });
  return peakBytes;
}

/** Every fourth is an inspection, every other prints JSON; conversions are checked by loading, as users have it. */
function argumentsFor(turn, { job }, path, folder) {
  const isJson = turn % 2 === 0;
  const output = isJson ? ['--json'] : ['--no-progress'];
  if (turn % 4 === 3) return { args: ['inspect', path, ...output], isJson };
  const out = join(folder, job.layout === 'single' ? 'out.onnx' : 'out');
  const { precision, layout } = job;
  return {
    args: ['convert', path, '--precision', precision, '--layout', layout, '--out', out, ...output],
    isJson,
  };
}

function findProblem({ exitCode, stdout, stderr, peakBytes }, isJson, sizeBytes, usualBytes) {
  if (exitCode === null) return `it was ended by a signal, or took more than ${limitMs / 1000} s`;
  if (!rightExits.includes(exitCode)) return `it ended with ${exitCode}: ${stderr}`;
  if (stackLine.test(stderr)) return `it printed a stack trace: ${stderr}`;
  if (isJson && !isDocument(stdout)) return `it printed no single document: ${stdout.slice(0, 500)}`;
  const limit = (usualBytes ?? Number.POSITIVE_INFINITY) + memoryBaseBytes + memoryFactor * sizeBytes;
  if (peakBytes > limit) return `it took ${Math.round(peakBytes / 1e6)} MB of memory for ${sizeBytes} bytes`;
  return null;
}

function isDocument(text) {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
