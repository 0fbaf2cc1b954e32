// Run by `npm run bench:convert` after a build: speed and memory of `convert` as a process, against onnxruntime's converter
// and against the least that the work can take. `--graph` and `--sparse` add deep graphs and a model of 10 GB.
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine, machineLine } from './bench-machine.mjs';
import { printDeepGraphs, printSparse, printStudyModel } from './convert-bench-text.mjs';
import { compareOnDeepGraphs } from './convert-deep-graphs.mjs';
import { convertSparseModel } from './convert-sparse-model.mjs';
import { compareOnStudyModel } from './convert-study-model.mjs';
import { quietFlags } from './convert-subjects.mjs';
import { chooseMeter } from './measure-process.mjs';
import { peerPackages, preparePython } from './python-packages.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    cache: { type: 'string', default: join(tmpdir(), 'optimise-model-bench') },
    graph: { type: 'boolean', default: false },
    sparse: { type: 'boolean', default: false },
    'skip-study': { type: 'boolean', default: false },
    'no-peer': { type: 'boolean', default: false },
    'peer-limit': { type: 'string', default: '600' },
    json: { type: 'boolean', default: false },
  },
});

const log = (line) => console.error(line);
const { cache } = values;
await mkdir(cache, { recursive: true });
const meter = await chooseMeter();
const peer = await findPeer();
const setting = {
  cache,
  meter,
  log,
  python: peer.python,
  flags: await quietFlags(),
  runs: Math.max(1, Number(values.runs)),
  limitMs: Number(values['peer-limit']) * 1000,
};
const result = {
  machine: describeMachine(),
  method: meter.method,
  peer: peer.python === undefined ? { absent: peer.missing } : { packages: peerPackages },
  flags: setting.flags,
  studyModel: values['skip-study'] ? null : await compareOnStudyModel(setting),
  deepGraphs: values.graph
    ? await compareOnDeepGraphs({ ...setting, runs: Math.min(setting.runs, 3) })
    : null,
  sparseModel: values.sparse ? await convertSparseModel(setting) : null,
};
console.log(values.json ? JSON.stringify(result, null, 2) : printAll().join('\n'));

async function findPeer() {
  if (values['no-peer']) return { missing: 'left out by --no-peer' };
  log('looking for onnxruntime in Python (installed once)');
  return preparePython(join(cache, 'python'), peerPackages);
}

function printAll() {
  const absent =
    result.peer.absent === undefined ? '' : `; onnxruntime's converter absent: ${result.peer.absent}`;
  return [
    machineLine(result.machine),
    `measured by ${result.method}${absent}`,
    ...(result.studyModel === null ? [] : printStudyModel(result.studyModel)),
    ...(result.deepGraphs === null ? [] : printDeepGraphs(result.deepGraphs)),
    ...(result.sparseModel === null ? [] : printSparse(result.sparseModel)),
  ];
}
