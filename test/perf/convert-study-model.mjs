// The comparison on the seed study's model: ours, onnxruntime's converter, the floor, and the bare interpreters.
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { convertCommand, floorCommand, peerCommand } from './convert-subjects.mjs';
import { summarise } from './sample-statistics.mjs';
import { writeVit } from './vit-model.mjs';

/** Goals of the project, as ratios measured in one run. */
const goals = [
  { name: 'onnxruntime / ours fp16-weights', over: 'peer', under: 'ours-fp16-weights', atLeast: 12 },
  { name: 'onnxruntime / ours fp16', over: 'peer', under: 'ours-fp16', atLeast: 8 },
  { name: 'ours fp16-weights / floor', over: 'ours-fp16-weights', under: 'floor', atMost: 2 },
  { name: 'ours fp16 / floor', over: 'ours-fp16', under: 'floor' },
];

/** What one conversion of it may hold in memory. */
const peakLimitBytes = 200e6;

/**
 * Measures all subjects in turns, so that a slow minute hits each of them.
 * @param {object} setting - `cache` folder, `runs`, `meter`, `python` (absent without one), `flags` of convert, `log`.
 * @returns {Promise<object>} Sizes, rows with their samples, and ratios.
 */
export async function compareOnStudyModel({ cache, runs, meter, python, flags, log }) {
  const model = join(cache, 'vit-base-patch8-224.onnx');
  const sourceSizeBytes = await stat(model).then(
    ({ size }) => size,
    () => {
      log('building the model (343 MB, once)');
      return writeVit(model);
    },
  );
  const subjects = listSubjects(model, cache, python, flags);
  const samples = new Map(subjects.map(({ id }) => [id, []]));
  const sizes = new Map();
  // The first round fills the caches of files and of compiled code, and is not counted.
  for (let round = 0; round <= runs; round += 1) {
    for (const turn of subjects.keys()) {
      const { id, command, out } = subjects[(turn + round) % subjects.length];
      log(round === 0 ? `warming up: ${id}` : `run ${round} of ${runs}: ${id}`);
      const sample = await measureOne(meter, command, out === undefined ? [] : [model]);
      if (round > 0) samples.get(id).push(sample);
      if (out === undefined) continue;
      sizes.set(id, (await stat(out)).size);
      await rm(out);
    }
  }
  const rows = subjects.map(({ id, label }) => {
    const own = samples.get(id);
    return { id, label, ...summarise(own), sizeBytes: sizes.get(id) ?? null, samples: own };
  });
  return { model, sourceSizeBytes, rows, ratios: findRatios(rows), peak: findPeak(rows) };
}

function listSubjects(model, cache, python, flags) {
  const ours = ['fp16-weights', 'fp16'].map((precision) => {
    const out = join(cache, `ours.${precision}.onnx`);
    return {
      id: `ours-${precision}`,
      label: `optimise-model convert --precision ${precision}`,
      command: convertCommand(model, { precision, out, flags }),
      out,
    };
  });
  const floorOut = join(cache, 'floor.bin');
  const floor = {
    id: 'floor',
    label: 'floor: read once, write and hash half, flush, rename',
    command: floorCommand(model, floorOut),
    out: floorOut,
  };
  const node = { id: 'node', label: 'node -e 0', command: [process.execPath, '-e', '0'] };
  if (python === undefined) return [...ours, floor, node];
  const peerOut = join(cache, 'peer.onnx');
  const imports = 'import onnx, onnxruntime.transformers.float16';
  return [
    ...ours,
    {
      id: 'peer',
      label: 'onnxruntime convert_float_to_float16',
      command: peerCommand(python, model, peerOut),
      out: peerOut,
    },
    floor,
    node,
    { id: 'python', label: `python -c "${imports}"`, command: [python, '-c', imports] },
  ];
}

/** A run that fails has no time: it ends the benchmark with what it said. */
async function measureOne(meter, command, warm) {
  const { stdout: _unused, stderr, exitCode, ...sample } = await meter.measure({ command, warm });
  if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}:\n${stderr}`);
  return sample;
}

function findRatios(rows) {
  const wallOf = (id) => rows.find((row) => row.id === id)?.wallMs;
  return goals.flatMap(({ name, over, under, atLeast, atMost }) => {
    const [upper, lower] = [wallOf(over), wallOf(under)];
    if (upper === undefined || lower === undefined) return [];
    const ratio = upper / lower;
    const isMet = (atLeast === undefined || ratio >= atLeast) && (atMost === undefined || ratio <= atMost);
    return [{ name, ratio, atLeast: atLeast ?? null, atMost: atMost ?? null, isMet }];
  });
}

function findPeak(rows) {
  const peaks = rows.filter(({ id }) => id.startsWith('ours')).map(({ maxPeakBytes }) => maxPeakBytes);
  const peakBytes = peaks.includes(null) ? null : Math.max(...peaks);
  return {
    peakBytes,
    atMostBytes: peakLimitBytes,
    isMet: peakBytes === null ? null : peakBytes <= peakLimitBytes,
  };
}
