// Run by `npm run bench:engines` after a build: real models through the whole product, as onnxruntime and OpenVINO
// artifacts side by side on the same inputs, link, threads and deliveries. Needs OpenVINO, which `optimise-model doctor`
// says how to add. Each model's run folder holds its report.
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { describeMachine, machineLine } from './bench-machine.mjs';
import { tabulateEngines } from './engine-rows.mjs';
import { listEngineSubjects } from './engine-subjects.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '7' },
    memory: { type: 'string', default: '4096' },
    deliveries: { type: 'string', default: 's3-copy, layer' },
    cache: { type: 'string', default: join(tmpdir(), 'optimise-model-bench') },
    'openvino-lib': { type: 'string' },
  },
});
const program = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
const variants = [
  '{ precision: fp32 }',
  '{ precision: fp16-weights }',
  '{ precision: fp32, engine: openvino }',
  '{ precision: fp16-weights, engine: openvino }',
  '{ precision: fp16-weights, engine: openvino, layout: single }',
  '{ precision: fp16-weights, engine: openvino, layout: blob }',
  '{ precision: fp16-weights, engine: openvino, inference: bf16 }',
];

await mkdir(values.cache, { recursive: true });
const log = (line) => console.error(line);
console.log(machineLine(describeMachine()));
for (const subject of await listEngineSubjects({ names: positionals, cache: values.cache, log })) {
  const pipeline = join(values.cache, `engines-${subject.name}.yaml`);
  await writeFile(pipeline, describePipeline(subject));
  const library = values['openvino-lib'] === undefined ? [] : ['--openvino-lib', values['openvino-lib']];
  const args = ['run', pipeline, '--redo', 'bench', '--json', ...library];
  const document = JSON.parse(await runProduct(args));
  if (document.error !== undefined) throw new Error(JSON.stringify(document.error));
  const { columns, rows, notes } = tabulateEngines(document.result);
  const align = columns.map((_column, index) => (index < 2 ? 'l' : 'r'));
  console.log(`\n## ${subject.name}\n\n${markdownTable([columns, ...rows], { align })}\n`);
  for (const note of notes) console.log(note);
}

function describePipeline({ name, model, inputs, parity, warm }) {
  const lines = [
    `name: engines-${name}`,
    `model: ${model}`,
    `inputs: ${inputs}`,
    'variants:',
    ...variants.map((variant) => `  - ${variant}`),
    `parity: ${parity}`,
    `output: ${join(values.cache, 'engines', name)}`,
    'bench:',
    `  deliveries: [${values.deliveries}]`,
    `  runs: ${values.runs}`,
    `  warm: ${warm}`,
    `  memoryMiB: ${values.memory}`,
    '  link: { latencyMs: 20, mbPerSecond: 90 }',
    // What fails is measured too: the table says both.
    'pick: { require: { parity: any } }',
  ];
  return `${lines.join('\n')}\n`;
}

function runProduct(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    child.once('error', reject);
    child.once('close', () => resolve(said));
  });
}
