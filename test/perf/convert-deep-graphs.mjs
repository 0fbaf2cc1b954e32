// Time by number of nodes: ours at four sizes, onnxruntime's converter at one.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { convertCommand, peerCommand } from './convert-subjects.mjs';
import { writeDeepGraph } from './deep-graph-model.mjs';
import { summarise } from './sample-statistics.mjs';

const nodeCounts = [1_000, 10_000, 50_000, 100_000];
const peerNodeCount = 50_000;

/**
 * Measures conversions of deep graphs.
 * @param {object} setting - `cache` folder, `runs`, `meter`, `python` (absent without one), `flags` of convert, `limitMs`
 *   for the peer, `log`.
 * @returns {Promise<object>} Rows, how time grows, and the ratio to the peer.
 */
export async function compareOnDeepGraphs(setting) {
  const rows = [];
  for (const nodeCount of nodeCounts) {
    const model = join(setting.cache, `deep-${nodeCount}.onnx`);
    await writeDeepGraph(model, nodeCount);
    for (const precision of ['fp16-weights', 'fp16']) {
      rows.push(await measureOurs(model, nodeCount, precision, setting));
    }
    if (nodeCount === peerNodeCount && setting.python !== undefined) {
      rows.push(await measurePeer(model, nodeCount, setting));
    }
    await rm(model);
  }
  return {
    rows,
    growth: ['fp16-weights', 'fp16'].map((precision) => findGrowth(rows, precision)),
    ...findRatios(rows),
  };
}

async function measureOurs(model, nodeCount, precision, { cache, runs, meter, flags, log }) {
  const out = join(cache, 'deep-out.onnx');
  const samples = [];
  for (let round = 0; round < runs; round += 1) {
    log(`${nodeCount} nodes, ${precision}: run ${round + 1} of ${runs}`);
    const command = convertCommand(model, { precision, out, flags });
    const { stderr, exitCode, ...sample } = await meter.measure({ command, warm: [model] });
    if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}:\n${stderr}`);
    samples.push(sample);
    await rm(out);
  }
  const summary = summarise(samples);
  return {
    id: `ours-${precision}`,
    precision,
    nodeCount,
    ...summary,
    msPerThousand: perThousand(summary, nodeCount),
  };
}

async function measurePeer(model, nodeCount, { cache, meter, python, limitMs, log }) {
  log(`${nodeCount} nodes, onnxruntime's converter: one run, at most ${limitMs / 1000} s`);
  const out = join(cache, 'deep-peer.onnx');
  const command = peerCommand(python, model, out);
  const { stderr, exitCode, ...sample } = await meter.measure({ command, warm: [model], limitMs });
  await rm(out, { force: true });
  if (exitCode !== 0 && exitCode !== null)
    throw new Error(`${command.join(' ')} ended with ${exitCode}:\n${stderr}`);
  const summary = summarise([sample]);
  const isCut = exitCode === null;
  return { id: 'peer', nodeCount, isCut, ...summary, msPerThousand: perThousand(summary, nodeCount) };
}

function perThousand({ wallMs }, nodeCount) {
  return wallMs / (nodeCount / 1000);
}

/** Between sizes, what one thousand nodes more take; and the exponent of growth, 1 for linear, 2 for quadratic. */
function findGrowth(rows, precision) {
  const own = rows.filter((row) => row.precision === precision);
  const steps = own.slice(1).map((row, index) => {
    const before = own[index];
    const moreNodes = row.nodeCount - before.nodeCount;
    return {
      from: before.nodeCount,
      to: row.nodeCount,
      msPerThousand: ((row.wallMs - before.wallMs) / moreNodes) * 1000,
    };
  });
  const [start, , , end] = own;
  const middle = own[1];
  const exponent =
    Math.log((end.wallMs - start.wallMs) / (middle.wallMs - start.wallMs)) /
    Math.log((end.nodeCount - start.nodeCount) / (middle.nodeCount - start.nodeCount));
  return { precision, steps, exponent };
}

function findRatios(rows) {
  const peer = rows.find(({ id }) => id === 'peer');
  if (peer === undefined) return { ratios: [] };
  const ratios = rows
    .filter((row) => row.nodeCount === peerNodeCount && row.precision !== undefined)
    .map((row) => {
      const ratio = peer.wallMs / row.wallMs;
      const name = `onnxruntime / ours ${row.precision}, ${peerNodeCount} nodes`;
      return { name, ratio, atLeast: 12, atMost: null, isMet: ratio >= 12, isLowerBound: peer.isCut };
    });
  return { ratios };
}
