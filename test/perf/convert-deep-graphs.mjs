// Time by number of nodes: ours at four sizes, onnxruntime's converter at one.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { convertCommand, peerCommand } from './convert-subjects.mjs';
import { writeDeepGraph } from './deep-graph-model.mjs';
import { summarise } from './sample-statistics.mjs';

/** At 50,000 nodes a graph without operators that onnxruntime keeps in FP32 is measured as well. */
const graphs = [
  { kind: 'clamped', nodeCount: 1_000 },
  { kind: 'clamped', nodeCount: 10_000 },
  { kind: 'clamped', nodeCount: 50_000, hasPeer: true },
  { kind: 'plain', nodeCount: 50_000, hasPeer: true },
  { kind: 'clamped', nodeCount: 100_000 },
];

/**
 * Measures conversions of deep graphs.
 * @param {object} setting - `cache` folder, `runs`, `meter`, `python` (absent without one), `flags` of convert, `limitMs`
 *   for the peer, `log`.
 * @returns {Promise<object>} Rows, how time grows, and the ratios to the peer.
 */
export async function compareOnDeepGraphs(setting) {
  const rows = [];
  for (const graph of graphs) {
    const model = join(setting.cache, `deep-${graph.kind}-${graph.nodeCount}.onnx`);
    await writeDeepGraph(model, graph.nodeCount, graph.kind);
    for (const precision of ['fp16-weights', 'fp16']) {
      rows.push(await measureOurs(model, graph, precision, setting));
    }
    if (graph.hasPeer && setting.python !== undefined) rows.push(await measurePeer(model, graph, setting));
    await rm(model);
  }
  const growth = ['fp16-weights', 'fp16'].map((precision) => findGrowth(rows, precision));
  return {
    rows,
    growth,
    ratios: rows.filter(({ id }) => id === 'peer').flatMap((peer) => findRatios(peer, rows)),
  };
}

async function measureOurs(model, { kind, nodeCount }, precision, { cache, runs, meter, flags, log }) {
  const out = join(cache, 'deep-out.onnx');
  const samples = [];
  for (let round = 0; round < runs; round += 1) {
    log(`${nodeCount} ${kind} nodes, ${precision}: run ${round + 1} of ${runs}`);
    const command = convertCommand(model, { precision, out, flags });
    const { stdout: _unused, stderr, exitCode, ...sample } = await meter.measure({ command, warm: [model] });
    if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}:\n${stderr}`);
    samples.push(sample);
    await rm(out);
  }
  const summary = summarise(samples);
  return {
    id: `ours-${precision}`,
    precision,
    kind,
    nodeCount,
    ...summary,
    msPerThousand: perThousand(summary, nodeCount),
  };
}

async function measurePeer(model, { kind, nodeCount }, { cache, meter, python, limitMs, log }) {
  log(`${nodeCount} ${kind} nodes, onnxruntime's converter: one run, at most ${limitMs / 1000} s`);
  const out = join(cache, 'deep-peer.onnx');
  const command = peerCommand(python, model, out);
  const {
    stdout: _unused,
    stderr,
    exitCode,
    ...sample
  } = await meter.measure({ command, warm: [model], limitMs });
  await rm(out, { force: true });
  if (exitCode !== 0 && exitCode !== null)
    throw new Error(`${command.join(' ')} ended with ${exitCode}:\n${stderr}`);
  const summary = summarise([sample]);
  const isCut = exitCode === null;
  return { id: 'peer', kind, nodeCount, isCut, ...summary, msPerThousand: perThousand(summary, nodeCount) };
}

function perThousand({ wallMs }, nodeCount) {
  return wallMs / (nodeCount / 1000);
}

/**
 * Between sizes, what one thousand nodes more take; and the exponent of growth, 1 for linear, 2 for quadratic, of wall and
 * of CPU time, which other work on the machine disturbs less.
 */
function findGrowth(rows, precision) {
  const own = rows.filter((row) => row.kind === 'clamped' && row.precision === precision);
  const steps = own.slice(1).map((row, index) => {
    const before = own[index];
    const moreNodes = row.nodeCount - before.nodeCount;
    const msPerThousand = ((row.wallMs - before.wallMs) / moreNodes) * 1000;
    return { from: before.nodeCount, to: row.nodeCount, msPerThousand };
  });
  return { precision, steps, exponent: findExponent(own, 'wallMs'), cpuExponent: findExponent(own, 'cpuMs') };
}

/** From the second size to the last, less what the smallest takes, which is mostly the start of the process. */
function findExponent([start, middle, ...more], key) {
  const end = more.at(-1);
  if (start[key] === null) return null;
  const times = (end[key] - start[key]) / (middle[key] - start[key]);
  return Math.log(times) / Math.log((end.nodeCount - start.nodeCount) / (middle.nodeCount - start.nodeCount));
}

function findRatios(peer, rows) {
  const { kind, nodeCount } = peer;
  return rows
    .filter((row) => row.kind === kind && row.nodeCount === nodeCount && row.precision !== undefined)
    .map((row) => {
      const ratio = peer.wallMs / row.wallMs;
      const name = `onnxruntime / ours ${row.precision}, ${nodeCount} nodes (${kind})`;
      return { name, ratio, atLeast: 12, atMost: null, isMet: ratio >= 12, isLowerBound: peer.isCut };
    });
}
