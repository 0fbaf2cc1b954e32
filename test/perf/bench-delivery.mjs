// Run by `npm run bench:delivery` after a build: the seed study's model through the whole product, by every delivery, at a
// stated link and memory, against the physical limit. What it writes is the run folder of `optimise-model run`, with its
// report.
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { renderBenchText } from '../../dist/api/bench.js';
import { describeMachine, machineLine } from './bench-machine.mjs';
import { judgeDeliveries, printJudgements } from './delivery-goals.mjs';
import { bucket, prepareStudyModel, startGround } from './delivery-ground.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '7' },
    warm: { type: 'string', default: '6' },
    memory: { type: 'string', default: '4096' },
    cache: { type: 'string', default: join(tmpdir(), 'optimise-model-bench') },
    output: { type: 'string', default: join(tmpdir(), 'optimise-model-bench', 'delivery') },
  },
});
const link = { latencyMs: 20, jitterMs: 0, bytesPerSecond: 90e6, perConnectionBytesPerSecond: null };
const program = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
const log = (line) => console.error(line);

await mkdir(values.cache, { recursive: true });
const model = await prepareStudyModel(values.cache, log);
const ground = await startGround(link);
try {
  const pipeline = join(values.cache, 'delivery.yaml');
  await writeFile(pipeline, describePipeline(ground.mount));
  if (ground.mount === null) log(`mount is left out: ${ground.whyNoMount}`);
  const document = JSON.parse(await runProduct(['run', pipeline, '--redo', 'bench', '--json']));
  if (document.error !== undefined) throw new Error(JSON.stringify(document.error));
  const { bench } = document.result;
  console.log(machineLine(describeMachine()));
  console.log(renderBenchText(bench, { width: 120, colour: false }));
  console.log(printJudgements(judgeDeliveries(bench)).join('\n'));
} finally {
  await ground.stop();
}

function describePipeline(mount) {
  const deliveries = ['s3-copy', 'layer', 'lazy', 'stream', ...(mount === null ? [] : ['mount'])];
  const lines = [
    'name: vit-base-patch8',
    `model: ${model}`,
    'inputs: { image: { shape: [1, 3, 224, 224], fill: normal, seed: 7 } }',
    'variants: [{ precision: fp32 }, { precision: fp16-weights }]',
    // Weights that nobody trained give features near 0, where rounding shows more than in a real model.
    'parity: { rtol: 1e-2, atol: 5e-3 }',
    `stage: { to: 's3://${bucket}/bench' }`,
    `output: ${values.output}`,
    'bench:',
    `  deliveries: [${deliveries.join(', ')}]`,
    `  runs: ${values.runs}`,
    `  warm: ${values.warm}`,
    `  memoryMiB: ${values.memory}`,
    `  link: { latencyMs: ${link.latencyMs}, mbPerSecond: ${link.bytesPerSecond / 1e6} }`,
    ...(mount === null ? [] : [`  mount: { folder: ${join(mount, 'bench')} }`]),
  ];
  return `${lines.join('\n')}\n`;
}

function runProduct(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...process.env, ...ground.environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    child.once('error', reject);
    child.once('close', () => resolve(said));
  });
}
