// Run by `npm run bench:models` after a build: real exports through both precisions, as a Markdown table of what became of
// bytes, nodes and numbers.
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { convertModel } from '../../dist/convert/convert-model.js';
import { toReals } from '../../dist/validate/to-reals.js';
import { bareOptions } from '../conformance/expected-conversion.mjs';
import { runModel } from '../conformance/run-model.mjs';
import { describeMachine, machineLine } from './bench-machine.mjs';
import { peerPackages, preparePython } from './python-packages.mjs';
import { listRealModels } from './real-model-subjects.mjs';

const { values } = parseArgs({
  options: {
    cache: { type: 'string', default: join(tmpdir(), 'optimise-model-bench') },
    json: { type: 'boolean', default: false },
  },
});
const { cache } = values;
await mkdir(cache, { recursive: true });
const { python, missing } = await preparePython(join(cache, 'python'), peerPackages);
if (missing !== undefined) console.error(`the quantised and the FP16 export are left out: ${missing}`);

const rows = [];
for (const subject of await listRealModels({ cache, python })) rows.push(...(await measureModel(subject)));
console.log(values.json ? JSON.stringify({ machine: describeMachine(), rows }, null, 2) : printRows());

async function measureModel({ label, path, feeds }) {
  const inputs = { inputs: feeds(), unreadable: [] };
  const [reference] = (await runModel(path, [inputs])).results ?? [];
  if (reference?.outputs === undefined)
    throw new Error(`${path} does not run: ${reference?.failed ?? 'it does not open'}`);
  const measured = [];
  for (const precision of ['fp16-weights', 'fp16']) {
    const out = join(cache, 'real-model-out.onnx');
    const options = { ...bareOptions, minWeightBytes: 1024 };
    const result = await convertModel({ ...options, model: path, precision, out });
    const run = await runModel(out, [inputs]);
    await rm(out);
    const outputs = run.results?.[0]?.outputs;
    measured.push({
      label,
      precision,
      sourceSizeBytes: result.sourceSizeBytes,
      sizeBytes: result.sizeBytes,
      nodes: result.nodes,
      weights: { stored: result.weights.storedAsFp16, lossless: result.weights.losslessTensors },
      castsAdded: result.castsAdded,
      opens: run.refused === undefined ? 'yes' : run.refused,
      error:
        outputs === undefined ? (run.results?.[0]?.failed ?? 'not run') : compare(reference.outputs, outputs),
    });
  }
  return measured;
}

/** Largest difference over all outputs of real numbers, and the largest number there. */
function compare(before, after) {
  let maxAbsError = 0;
  let maxAbsReference = 0;
  for (const [name, tensor] of Object.entries(before)) {
    if (!/^float/.test(tensor.type)) continue;
    const [left, right] = [tensor, after[name]].map(toReals);
    for (const [index, number] of left.entries()) {
      maxAbsError = Math.max(maxAbsError, Math.abs(number - right[index]));
      maxAbsReference = Math.max(maxAbsReference, Math.abs(number));
    }
  }
  return { maxAbsError, maxAbsReference };
}

function printRows() {
  const head = [
    'model',
    'precision',
    'bytes before',
    'after',
    'share',
    'FP16 nodes of allowed',
    'weights stored (lossless)',
  ];
  const lines = rows.map((row) => {
    const { nodes, weights, error } = row;
    return [
      ...[
        row.label,
        row.precision,
        row.sourceSizeBytes.toLocaleString('en'),
        row.sizeBytes.toLocaleString('en'),
      ],
      `${((100 * row.sizeBytes) / row.sourceSizeBytes).toFixed(1)} %`,
      row.precision === 'fp16' ? `${nodes.fp16} of ${nodes.allowed}` : '–',
      `${weights.stored} (${weights.lossless})`,
      row.castsAdded,
      typeof error === 'string' ? error : error.maxAbsError.toExponential(1),
      typeof error === 'string' ? '–' : error.maxAbsReference.toPrecision(3),
      row.opens,
    ];
  });
  const table = markdownTable(
    [[...head, 'Casts added', 'max abs error', 'max abs output', 'opens'], ...lines],
    {
      align: ['l', 'l', ...Array(8).fill('r'), 'l'],
    },
  );
  return `${machineLine(describeMachine())}\n\n${table}`;
}
